import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { ROOT } from './built-programs.js';
import { freePorts, startProgram, type ChildProgram } from './child-program.js';
import { SQS_ENVIRONMENT } from './sqs-environment.js';
import { waitFor } from './wait-for.js';

const FAUXQS = path.join(ROOT, '.ci', 'fauxqs');
const NODE24 = path.join(ROOT, '.ci', 'node24', 'node_modules');

/** Attributes of a queue that keeps messages for as long as SQS can. */
const KEPT = { MessageRetentionPeriod: '1209600' };

/** A queue of the stand-in, with a dead-letter queue. */
export type TestQueue = ReturnType<typeof queueAt>;

/** Returns true for a request that sends a message (Amazon SQS API Reference, "SendMessage"). */
export function isSend({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['x-amz-target'] === 'AmazonSQS.SendMessage';
}

export function isFauxqsInstalled(): boolean {
  return existsSync(path.join(FAUXQS, 'node_modules', 'fauxqs')) && node24() !== undefined;
}

function node24(): string | undefined {
  const packages = existsSync(NODE24) ? readdirSync(NODE24) : [];
  return packages.map((name) => path.join(NODE24, name, 'bin', 'node')).find((file) => existsSync(file));
}

/** Starts a private stand-in on a random port. The environment of this process gets what the AWS SDK needs. */
export async function startFauxqs(): Promise<Fauxqs> {
  Object.assign(process.env, SQS_ENVIRONMENT);
  const directory = await mkdtemp(path.join(tmpdir(), 'fauxqs-'));
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram(node24() ?? 'node', {
    args: [path.join(FAUXQS, 'serve.mjs'), String(port)],
    logFile: path.join(directory, 'log'),
    env: { NODE_OPTIONS: '' },
  });
  const client = new SQSClient({ endpoint: url });
  await waitFor('fauxqs to answer', async () => {
    if (!program.isRunning()) throw new Error(`fauxqs ended: ${await program.output()}`);
    return (await program.output()).includes(url);
  });
  return new Fauxqs(url, program, directory, client);
}

/** A private stand-in for Amazon SQS (fauxqs, on Node.js 24). */
export class Fauxqs {
  #count = 0;
  readonly #program: ChildProgram;
  readonly #directory: string;
  readonly #client: SQSClient;

  constructor(
    readonly url: string,
    program: ChildProgram,
    directory: string,
    client: SQSClient,
  ) {
    this.#program = program;
    this.#directory = directory;
    this.#client = client;
  }

  async createQueue(maxReceiveCount = 1_000): Promise<TestQueue> {
    this.#count += 1;
    const deadLetterUrl = await this.#create(`jobs-${this.#count}-dead`, KEPT);
    const { Attributes } = await this.#client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ['QueueArn'] }),
    );
    const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount };
    const url = await this.#create(`jobs-${this.#count}`, { RedrivePolicy: JSON.stringify(policy), ...KEPT });
    return queueAt(this.#client, url, deadLetterUrl);
  }

  /** Ends the server at once; its queues are gone with it. */
  async stop(): Promise<void> {
    this.#client.destroy();
    await this.#program.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Freezes the process: connections stay open and nothing answers. */
  pause(): void {
    this.#program.signal('SIGSTOP');
  }

  resume(): void {
    this.#program.signal('SIGCONT');
  }

  /** The URL as the tests reach it, whatever host the server thinks it has. */
  async #create(name: string, Attributes: Record<string, string>): Promise<string> {
    const { QueueUrl = '' } = await this.#client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    return `${this.url}${new URL(QueueUrl).pathname}`;
  }
}

function queueAt(client: SQSClient, url: string, deadLetterUrl: string) {
  return {
    url,
    deadLetterUrl,
    /** Messages that may be received, that are hidden, and that are delayed. */
    async counts(QueueUrl = url) {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      return {
        visible: Number(Attributes['ApproximateNumberOfMessages']),
        hidden: Number(Attributes['ApproximateNumberOfMessagesNotVisible']),
        delayed: Number(Attributes['ApproximateNumberOfMessagesDelayed']),
      };
    },
    /** Receives up to ten messages without keeping them: they are visible again at once, or nearly so. */
    async receive(QueueUrl = url): Promise<readonly string[]> {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      );
      return Messages.map(({ Body = '' }) => Body);
    },
    async size(QueueUrl = url): Promise<number> {
      const { visible, hidden, delayed } = await this.counts(QueueUrl);
      return visible + hidden + delayed;
    },
    async send(MessageBody: string): Promise<void> {
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
    },
    async set(Attributes: Record<string, string>): Promise<void> {
      await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
    },
    async purge(): Promise<void> {
      await client.send(new PurgeQueueCommand({ QueueUrl: url }));
    },
  };
}

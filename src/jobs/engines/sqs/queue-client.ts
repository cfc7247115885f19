import {
  SendMessageCommand,
  SQS,
  type Message,
  type MessageSystemAttributeName,
  type QueueAttributeName,
} from '@aws-sdk/client-sqs';
import { awsSdkLogger, type Logger } from '../../../base/logging/logger.js';
import { causeOf, ServiceUnavailableError } from '../../../base/errors.js';
import type { SqsReceived } from '../../record/sqs-delivery.js';
import { FaultLog } from '../../../base/logging/fault-log.js';
import { isOutOfHand, mayHaveArrived, sqsFaultOf } from './sqs-faults.js';

const DEPENDENCY = 'Amazon SQS';

const CONNECT_TIMEOUT_MS = 3_000;
/** Maximum duration of a request. All attempts together take no longer than the client that starts a job waits. */
const REQUEST_TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

export interface ReceivedMessage extends Omit<SqsReceived, 'receivedAt'> {
  /** Handle that settles the message. */
  readonly receiptHandle: string;
}

/** A message was sent, and SQS did not say whether it took the message. */
export class SendInDoubtError extends ServiceUnavailableError {}

export const RECEIVED_ATTRIBUTES: MessageSystemAttributeName[] = ['ApproximateReceiveCount', 'SentTimestamp'];

const BATCH = 10;

/**
 * Client of SQS, at the host of the queue's URL. Each call throws {@link ServiceUnavailableError} when SQS cannot
 * serve; its cause names the remedy.
 */
export class SqsClient {
  /** SDK for a polling library. Its user has to report to {@link watched}. */
  readonly sdk: SQS;
  readonly watched: FaultLog;

  constructor(queueUrl: string, logger: Logger) {
    const region = regionOf(queueUrl);
    this.watched = new FaultLog(logger, DEPENDENCY, sqsFaultOf);
    this.sdk = new SQS({
      endpoint: new URL(queueUrl).origin,
      ...(region !== undefined && { region }),
      logger: awsSdkLogger(logger),
      maxAttempts: ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    });
  }

  /**
   * @param delaySeconds 900 at most
   * @throws {SendInDoubtError} when a try may have reached SQS
   */
  async send(queueUrl: string, body: string, kind: string | undefined, delaySeconds = 0): Promise<void> {
    const command = new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: body,
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
      // An attribute lets functions that are called with messages filter by the kind of job.
      ...(kind !== undefined && { MessageAttributes: { kind: { DataType: 'String', StringValue: kind } } }),
    });
    let isInDoubt = false as boolean; // set in a callback
    command.middlewareStack.add(
      (next) => async (request) => {
        try {
          return await next(request);
        } catch (error) {
          isInDoubt ||= mayHaveArrived(error);
          throw error;
        }
      },
      // Within the retries, which have a high priority, so that it sees the error of each try.
      { step: 'finalizeRequest', priority: 'low' },
    );
    try {
      await this.#run(() => this.sdk.send(command));
    } catch (error) {
      throw isInDoubt ? new SendInDoubtError(DEPENDENCY, { cause: causeOf(error) }) : error;
    }
  }

  /** Receives up to ten messages, and hides them for a number of seconds. */
  async receive(queueUrl: string, visibilitySeconds: number): Promise<readonly ReceivedMessage[]> {
    const request = {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: BATCH,
      // A short wait queries all servers of SQS; without one, only some of them.
      WaitTimeSeconds: 1,
      VisibilityTimeout: visibilitySeconds,
      MessageSystemAttributeNames: RECEIVED_ATTRIBUTES,
    };
    const { Messages = [] } = await this.#run(() => this.sdk.receiveMessage(request));
    return Messages.map(receivedMessage);
  }

  async delete(QueueUrl: string, ReceiptHandle: string): Promise<void> {
    await this.#run(() => this.sdk.deleteMessage({ QueueUrl, ReceiptHandle }));
  }

  /** Sets the time until a message may be received again. @returns false if it is no longer held */
  setVisibility(QueueUrl: string, ReceiptHandle: string, VisibilityTimeout: number): Promise<boolean> {
    return this.#run(async () => {
      try {
        await this.sdk.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout });
        return true;
      } catch (error) {
        if (isOutOfHand(error)) return false;
        throw error;
      }
    });
  }

  /**
   * Makes messages receivable again at once. Never rejects: if SQS cannot be reached, they become receivable when their
   * visibility timeout is over.
   */
  async release(QueueUrl: string, receiptHandles: readonly string[]): Promise<void> {
    for (let from = 0; from < receiptHandles.length; from += BATCH) {
      const Entries = receiptHandles
        .slice(from, from + BATCH)
        .map((ReceiptHandle, index) => ({ Id: `${index}`, ReceiptHandle, VisibilityTimeout: 0 }));
      await this.#run(() => this.sdk.changeMessageVisibilityBatch({ QueueUrl, Entries })).catch(() => undefined);
    }
  }

  async counts(queueUrl: string): Promise<{ readonly waiting: number; readonly hidden: number }> {
    const names = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesDelayed',
      'ApproximateNumberOfMessagesNotVisible',
    ] as const;
    const found = await this.attributes(queueUrl, ...names);
    const [visible = 0, delayed = 0, hidden = 0] = names.map((name) => Number(found[name] ?? 0));
    return { waiting: visible + delayed, hidden };
  }

  async attributes(
    QueueUrl: string,
    ...AttributeNames: QueueAttributeName[]
  ): Promise<Partial<Record<QueueAttributeName, string>>> {
    const { Attributes = {} } = await this.#run(() => this.sdk.getQueueAttributes({ QueueUrl, AttributeNames }));
    return Attributes;
  }

  /** Returns the URL of a queue by its ARN (`arn:partition:sqs:region:account:name`). */
  async urlOf(arn: string): Promise<string> {
    const [, , , , QueueOwnerAWSAccountId, QueueName] = arn.split(':');
    const { QueueUrl } = await this.#run(() => this.sdk.getQueueUrl({ QueueName, QueueOwnerAWSAccountId }));
    if (QueueUrl === undefined) throw new Error(`SQS knows no URL of ${arn}.`);
    return QueueUrl;
  }

  close(): void {
    this.sdk.destroy();
  }

  #run<T>(request: () => Promise<T>): Promise<T> {
    return this.watched.run('reading', request);
  }
}

export function receivedMessage({ Body = '', ReceiptHandle = '', Attributes = {} }: Message): ReceivedMessage {
  return {
    body: Body,
    receiptHandle: ReceiptHandle,
    receiveCount: Number(Attributes.ApproximateReceiveCount ?? 1),
    sentAt: Number(Attributes.SentTimestamp ?? Date.now()),
  };
}

/**
 * Hosts of SQS: current ones, those of interface endpoints, and those of old URLs ("Amazon SQS endpoints and quotas").
 */
const HOSTS = [
  /^sqs(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d+)\./,
  /\.sqs\.([a-z]{2}(?:-[a-z]+)+-\d+)\.vpce\./,
  /^([a-z]{2}(?:-[a-z]+)+-\d+)\.queue\./,
];

/** Returns the region of a queue; undefined if its host names none: the AWS SDK finds it (`AWS_REGION`, profile). */
export function regionOf(queueUrl: string): string | undefined {
  const { hostname } = new URL(queueUrl);
  const [region] = HOSTS.flatMap((host) => host.exec(hostname)?.[1] ?? []);
  // The oldest URLs name no region, and mean this one.
  return region ?? (hostname === 'queue.amazonaws.com' ? 'us-east-1' : undefined);
}

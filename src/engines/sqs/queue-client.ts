import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  type Message,
  type QueueAttributeName,
} from '@aws-sdk/client-sqs';
import { awsSdkLogger } from '../../logging/aws-sdk-logger.js';
import { ServiceUnavailableError } from '../../errors.js';
import { FaultLog } from '../../logging/fault-log.js';
import type { Logger } from '../../logging/logger.js';
import { isOutOfHand, sqsFaultOf } from './faults.js';
import { regionOf } from './region.js';

/** Name of the queue in errors and in the log. */
export const DEPENDENCY = 'Amazon SQS';

const CONNECT_TIMEOUT_MS = 3_000;
/** All attempts together take no longer than whoever starts a job waits. */
const REQUEST_TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

/** What a message is received with. */
export interface Receiving {
  /** From 1 to 10. */
  readonly max: number;
  readonly waitSeconds: number;
  readonly visibilitySeconds: number;
}

/** A message that was received. */
export interface ReceivedMessage {
  readonly body: string;
  readonly receiptHandle: string;
  /** How often it was received, this time included. */
  readonly receiveCount: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/**
 * Requests to SQS, to the host of the queue's URL. Each throws {@link ServiceUnavailableError} when SQS cannot serve;
 * its cause says what to change.
 */
export class SqsClient {
  readonly #client: SQSClient;
  readonly #faults: FaultLog;

  constructor(queueUrl: string, logger: Logger) {
    const region = regionOf(queueUrl);
    this.#faults = new FaultLog(logger, DEPENDENCY);
    this.#client = new SQSClient({
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

  /** @param delaySeconds 900 at most */
  async send(queueUrl: string, body: string, kind: string | undefined, delaySeconds = 0): Promise<void> {
    await this.#run(() =>
      this.#client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
          // For filters of those who are called with messages.
          ...(kind !== undefined && { MessageAttributes: { kind: { DataType: 'String', StringValue: kind } } }),
        }),
      ),
    );
  }

  async receive(
    queueUrl: string,
    { max, waitSeconds, visibilitySeconds }: Receiving,
  ): Promise<readonly ReceivedMessage[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: max,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: visibilitySeconds,
      MessageSystemAttributeNames: ['ApproximateReceiveCount', 'SentTimestamp'],
    });
    const requestTimeout = 1000 * waitSeconds + REQUEST_TIMEOUT_MS;
    const { Messages = [] } = await this.#run(() => this.#client.send(command, { requestTimeout }));
    return Messages.map(receivedMessage);
  }

  async delete(queueUrl: string, { receiptHandle }: ReceivedMessage): Promise<void> {
    await this.#run(() =>
      this.#client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle })),
    );
  }

  /** Says when a message may be received again. @returns false when it is not in this hand any more */
  async setVisibility(queueUrl: string, { receiptHandle }: ReceivedMessage, seconds: number): Promise<boolean> {
    const command = new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    });
    return this.#run(async () => {
      try {
        await this.#client.send(command);
        return true;
      } catch (error) {
        if (isOutOfHand(error)) return false;
        throw error;
      }
    });
  }

  async attributes(
    queueUrl: string,
    names: readonly QueueAttributeName[],
  ): Promise<Partial<Record<QueueAttributeName, string>>> {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] });
    const { Attributes = {} } = await this.#run(() => this.#client.send(command));
    return Attributes;
  }

  /** The URL of a queue by its ARN (`arn:partition:sqs:region:account:name`). */
  async urlOf(arn: string): Promise<string> {
    const [, , , , QueueOwnerAWSAccountId, QueueName] = arn.split(':');
    const { QueueUrl } = await this.#run(() =>
      this.#client.send(new GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId })),
    );
    if (QueueUrl === undefined) throw new Error(`SQS knows no URL of ${arn}.`);
    return QueueUrl;
  }

  close(): void {
    this.#client.destroy();
  }

  async #run<T>(request: () => Promise<T>): Promise<T> {
    try {
      const reply = await request();
      this.#faults.served('reading');
      return reply;
    } catch (error) {
      const fault = sqsFaultOf(error);
      this.#faults.failed('reading', fault);
      throw new ServiceUnavailableError(DEPENDENCY, { cause: new Error(fault, { cause: error }) });
    }
  }
}

function receivedMessage({ Body = '', ReceiptHandle = '', Attributes = {} }: Message): ReceivedMessage {
  return {
    body: Body,
    receiptHandle: ReceiptHandle,
    receiveCount: Number(Attributes.ApproximateReceiveCount ?? 1),
    sentAt: Number(Attributes.SentTimestamp ?? Date.now()),
  };
}

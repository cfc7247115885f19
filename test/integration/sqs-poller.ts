import { DeleteMessageCommand, ReceiveMessageCommand, SQS } from '@aws-sdk/client-sqs';
import type { SqsBatchResponse, SqsCalls, SqsEvent } from '../../src/queue-function/sqs-handler.js';
import type { TestQueue } from '../support/fauxqs.js';

type Handler = (event: SqsEvent) => Promise<SqsBatchResponse>;

/** Gives messages to a handler in batches, and deletes those it does not name. @param create makes the handler */
export function startPoller(endpoint: string, queue: TestQueue, create: (sqs: SqsCalls) => Handler) {
  const sqs = new SQS({ endpoint });
  // The interface names what is asked of it; the SDK's inputs are the same.
  const handler = create(sqs);
  let closed = false;

  async function poll(): Promise<void> {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.url,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    const Records = Messages.map(({ MessageId = '', ReceiptHandle = '', Body = '', Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: {
        ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '',
        SentTimestamp: Attributes?.SentTimestamp ?? '',
      },
    }));
    if (Records.length === 0) return;
    const { batchItemFailures } = await handler({ Records });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId, receiptHandle } of Records) {
      if (failed.has(messageId)) continue;
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle: receiptHandle }));
    }
  }

  async function pollAll(): Promise<void> {
    while (!closed) {
      await poll();
    }
  }

  const polling = pollAll();
  return {
    async close() {
      closed = true;
      await polling;
      sqs.destroy();
    },
  };
}

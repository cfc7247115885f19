import type { SqsEnvelope } from '../../src/jobs/record/sqs-envelope.js';

/** A message as it lies in SQS, of an update of mobiles. @param attempts that were made at it */
export function sqsMessage(attempts: number, job: Partial<SqsEnvelope['job']> = {}): SqsEnvelope {
  return {
    job: {
      kind: 'mobiles',
      org: '株式会社 \uffff',
      jobId: 'job-1',
      described: { total: 3, fingerprint: 'f', retentionMs: 60_000 },
      ...job,
    },
    payload: { sealed: 'sealed' },
    attempts,
    acceptedAt: 1_700_000_000_000,
  };
}

import { readFileSync } from 'node:fs';
import type { CallbackSignature } from '../../src/jobs/record/callback-signature.js';
import type { JobMessage } from '../../src/jobs/record/job-queue.js';

interface Vectors {
  readonly keys: {
    readonly TASK_CALLBACK_API_KEY: string;
    readonly JOB_ENCRYPTION_KEY: string;
    readonly CALLBACK_SIGNING_SECRET: string;
    readonly payloadKeys: readonly { readonly kid: string; readonly key: string }[];
  };
  readonly calls: readonly {
    readonly what: string;
    readonly message: JobMessage;
    readonly call: {
      readonly path: string;
      readonly attempt: string;
      /** Milliseconds since 1970. */
      readonly sentAt: number;
      readonly headers: CallbackSignature & Readonly<Record<string, string>>;
      readonly body: string;
    };
  }[];
  readonly notCalled: readonly { readonly what: string; readonly code: string; readonly message: JobMessage }[];
  readonly attemptIds: readonly { readonly org?: string; readonly jobId?: string; readonly id: string }[];
  readonly standardWebhooks: { readonly secret: string; readonly headers: CallbackSignature; readonly body: string };
}

/** The vectors that queue functions in any language are tested against, `openapi/vectors.json`. */
export const VECTORS = JSON.parse(
  readFileSync(new URL('../../openapi/vectors.json', import.meta.url), 'utf8'),
) as Vectors; // as written down above

import { createHmac, randomUUID } from 'node:crypto';

/** A sender of signed callbacks (Standard Webhooks 1.0.0), written independently of the one of the gateway. */
export interface SignerOptions {
  readonly org?: string;
  readonly jobId?: string;
  /** Seconds since 1970; now by default. */
  readonly timestamp?: number | string;
  /** The whole id; one of the job by default. */
  readonly id?: string;
}

/** Headers of a signed callback. @param secret `whsec_` and base64 */
export function signedHeaders(
  secret: string,
  body: string,
  { org = '', jobId = '', timestamp = Math.floor(Date.now() / 1000), id }: SignerOptions = {},
): Record<string, string> {
  const webhookId = id ?? `${encodeURIComponent(org).replaceAll('.', '%2E')}.${jobId}.${randomUUID()}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64');
  return {
    ...(org !== '' && { 'x-org-id': encodeURIComponent(org) }),
    ...(jobId !== '' && { 'x-job-id': jobId }),
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

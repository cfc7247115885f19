import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Target and lifetime of a link. */
export interface DownloadLink {
  readonly bucket: string;
  readonly key: string;
  readonly expiresInMs: number;
  /** Name of the downloaded file. */
  readonly downloadName: string;
  /** The time by the clock of the bucket. */
  readonly now: Date;
}

/** Maximum life of a presigned link (Signature Version 4, "X-Amz-Expires"): 7 days. */
const MAX_SECONDS = 7 * 24 * 60 * 60;

/** Makes a presigned absolute link; the object keeps its stored content type. */
export async function downloadLink(client: S3Client, link: DownloadLink): Promise<string> {
  const command = new GetObjectCommand({
    Bucket: link.bucket,
    Key: link.key,
    ResponseContentDisposition: attachment(link.downloadName),
  });
  const seconds = Math.ceil(link.expiresInMs / 1000);
  const expiresIn = Math.min(Math.max(seconds, 1), MAX_SECONDS);
  return getSignedUrl(client, command, { expiresIn, signingDate: link.now });
}

/**
 * Returns the value of `Content-Disposition` (RFC 6266, section 4): the name in US-ASCII for old programs and in UTF-8
 * (RFC 8187) for all others.
 */
export function attachment(name: string): string {
  // Quotes, backslashes and control characters could end the text; some programs decode per cent signs.
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(name).replaceAll(/['()*]/g, percentEncode);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

function percentEncode(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

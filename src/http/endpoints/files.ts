import type { Middleware } from 'koa';
import type { FileObjectStore, SignedObject } from '../../objects/files/file-object-store.js';
import { HttpProblem } from '../http-problem.js';

/** Limit of files open at the same time, over all clients; each takes a handle and a buffer. */
const MAX_OPEN_FILES = 256;

/** Time after which a download beyond the limit may be retried, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Serves objects of the embedded store through signed links that expire.
 *
 * @param prefix path before the key
 */
export function files(objects: FileObjectStore, prefix: string, maxOpen = MAX_OPEN_FILES): Middleware {
  let open = 0;
  return async (ctx) => {
    const key = keyOf(ctx.path.slice(prefix.length));
    const { exp, sig } = ctx.query;
    if (open >= maxOpen) {
      throw new HttpProblem(503, 'Too many files are being downloaded. Try again in a second.', {
        retryAfterMs: RETRY_MS,
      });
    }
    open += 1;
    const close = (): void => void (open -= 1);
    let found: SignedObject = { kind: 'refused' };
    try {
      if (key !== undefined && typeof exp === 'string' && typeof sig === 'string') {
        found = await objects.openSigned(key, exp, sig);
      }
    } finally {
      if (found.kind === 'found') found.stream.once('close', close);
      else close();
    }
    if (found.kind === 'refused') {
      throw new HttpProblem(403, 'This download link has expired or is not valid. Ask for a new one.');
    }
    if (found.kind === 'missing') throw new HttpProblem(404, 'Not found');
    ctx.set('Cache-Control', 'private, no-store');
    ctx.attachment(found.downloadName);
    ctx.type = found.contentType;
    ctx.length = found.size;
    ctx.body = found.stream;
  };
}

/** Decodes the object key of a path; each part is percent-encoded once. */
function keyOf(path: string): string | undefined {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return undefined;
  }
}

import type { Middleware } from 'koa';
import type { FileObjectStore, SignedObject } from '../../objects/files/file-object-store.js';
import { HttpProblem } from '../http-problem.js';

/** Serves objects of the embedded store through signed links that expire. @param prefix path before the key */
export function files(objects: FileObjectStore, prefix: string): Middleware {
  return async (ctx) => {
    const key = keyOf(ctx.path.slice(prefix.length));
    const { exp, sig } = ctx.query;
    const found: SignedObject =
      key === undefined || typeof exp !== 'string' || typeof sig !== 'string'
        ? { kind: 'refused' }
        : await objects.openSigned(key, exp, sig);
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

/** The object key of a path; each part of it was percent-encoded once. */
function keyOf(path: string): string | undefined {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return undefined;
  }
}

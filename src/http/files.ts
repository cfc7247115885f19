import type { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { HttpProblem } from './http-problem.js';

/** What a signed link leads to. */
export type SignedObject =
  /** Expired, or not signed by this gateway. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'missing' }
  | {
    readonly kind: 'found';
    readonly size: number;
    readonly contentType: string;
    readonly downloadName: string;
    readonly stream: Readable;
  };

/** An object store whose objects are served by the gateway itself. */
export interface SignedObjects {
  openSigned(key: string, exp: string, sig: string): Promise<SignedObject>;
}

/** Serves objects of the embedded store through signed links that expire. @param prefix path before the key */
export function files(objects: SignedObjects, prefix: string): Middleware {
  return async (ctx) => {
    const key = keyOf(ctx.path.slice(prefix.length));
    const { exp, sig } = ctx.query;
    const found: SignedObject = key === undefined || typeof exp !== 'string' || typeof sig !== 'string'
      ? { kind: 'refused' }
      : await objects.openSigned(key, exp, sig);
    if (found.kind === 'refused') {
      throw new HttpProblem(403, 'This download link has expired or is not valid. Ask for a new one.');
    }
    if (found.kind === 'missing') throw new HttpProblem(404, 'Not found');
    ctx.set('Cache-Control', 'private, no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
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

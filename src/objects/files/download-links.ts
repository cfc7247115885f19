import type { KeyRing } from '../../config/key-ring.js';

export interface DownloadLinkOptions {
  /** Prefix of every route: a URL or a path, without a trailing `/`, or empty. */
  readonly linkBase: () => string;
  readonly keyRing: KeyRing;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Makes and checks links to objects. */
export interface DownloadLinks {
  /** Makes a link, `{linkBase}/files/{key}?exp=&sig=`. */
  create(key: string, options: { readonly expiresInMs: number; readonly downloadName: string }): string;
  /** Returns the download name of a genuine, unexpired link; undefined for any other. */
  verify(key: string, exp: string, sig: string): { readonly downloadName: string } | undefined;
}

/**
 * Signs links with an expiry. `exp` is the end of validity in milliseconds since 1970; `sig` holds the download name in
 * base64url, a dot, and the HMAC over method, key, end of validity and download name.
 */
export function createDownloadLinks({ linkBase, keyRing, clock }: DownloadLinkOptions): DownloadLinks {
  return {
    create(key, { expiresInMs, downloadName }) {
      const exp = String(Math.floor(clock() + expiresInMs));
      const [signature] = keyRing.sign('download-link', signedText(key, exp, downloadName));
      const path = PLAIN_PATH.test(key) ? key : key.split('/').map(encodeURIComponent).join('/');
      const name = Buffer.from(downloadName).toString('base64url');
      return `${linkBase()}/files/${path}?exp=${exp}&sig=${name}.${signature}`;
    },

    verify(key, exp, sig) {
      const [, name, signature] = SIG.exec(sig) ?? [];
      if (name === undefined || signature === undefined) return undefined;
      const downloadName = Buffer.from(name, 'base64url').toString();
      // Decoding ignores left-over bits; a link must have only one spelling.
      if (Buffer.from(downloadName).toString('base64url') !== name) return undefined;
      const genuine = keyRing.verify('download-link', signedText(key, exp, downloadName), signature);
      return genuine && Number(exp) > clock() ? { downloadName } : undefined;
    },
  };
}

/** Key that needs no encoding in a URL path. */
const PLAIN_PATH = /^[\w./-]*$/;

/** Download name and HMAC-SHA-256, both in base64url. */
const SIG = /^([\w-]*)\.([\w-]{43})$/;

/** Joins the signed parts as JSON, so that they stay unambiguous. */
function signedText(key: string, exp: string, downloadName: string): string {
  return JSON.stringify(['GET', key, exp, downloadName]);
}

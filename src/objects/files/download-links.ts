import type { KeyRing } from '../../config/key-ring.js';

/** What download links are made with. */
export interface DownloadLinkOptions {
  /** What stands in front of every route: a URL or a path, neither ending with `/`, or nothing. */
  readonly linkBase: () => string;
  readonly keyRing: KeyRing;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Makes and checks links to objects. */
export interface DownloadLinks {
  /** A link, `{linkBase}/files/{key}?exp=&sig=`. */
  create(key: string, options: { readonly expiresInMs: number; readonly downloadName: string }): string;
  /** What an unchanged link that has not expired says; undefined for any other. */
  verify(key: string, exp: string, sig: string): { readonly downloadName: string } | undefined;
}

/**
 * Links that expire and cannot be changed. `exp` is the end of validity in milliseconds since 1970; `sig` holds
 * the download name in base64url, a dot, and the HMAC over method, key, end of validity and download name.
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
      // Decoding overlooks left-over bits, and a link has one spelling.
      if (Buffer.from(downloadName).toString('base64url') !== name) return undefined;
      const genuine = keyRing.verify('download-link', signedText(key, exp, downloadName), signature);
      return genuine && Number(exp) > clock() ? { downloadName } : undefined;
    },
  };
}

/** A key that is a path of a URL as it stands. */
const PLAIN_PATH = /^[\w./-]*$/;

/** Download name and HMAC-SHA-256, both in base64url. */
const SIG = /^([\w-]*)\.([\w-]{43})$/;

/** JSON keeps the parts apart, whatever they hold. */
function signedText(key: string, exp: string, downloadName: string): string {
  return JSON.stringify(['GET', key, exp, downloadName]);
}

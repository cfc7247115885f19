import type { ServerResponse } from 'node:http';

/** An answer before it is written: a body is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal in the shape all three backends share. */
export function failure(status: number, message: string): Reply {
  return { status, body: { message } };
}

/** How an answer is spoilt on its way. */
export type Damage = 'notJson' | 'truncated' | undefined;

/** Writes an answer; a truncated one announces its full length, and the connection is cut half way. */
export function send(response: ServerResponse, { status, body, headers = {} }: Reply, damage: Damage): void {
  const content = Buffer.from(damage === 'notJson' ? '<html>not what you asked for' : json(body));
  if (content.length === 0) {
    response.writeHead(status, headers).end();
    return;
  }
  const contentHeaders = { 'content-type': 'application/json', 'content-length': content.length };
  response.writeHead(status, { ...contentHeaders, ...headers });
  if (damage !== 'truncated') {
    response.end(content);
    return;
  }
  response.write(content.subarray(0, content.length / 2), () => response.destroy());
}

function json(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body);
}

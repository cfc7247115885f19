import type { ServerResponse } from 'node:http';

/** Answer before it is written; its body is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a refusal in the format of all three backends. */
export function failure(status: number, message: string): Reply {
  return { status, body: { message } };
}

/** Corruption of an answer. */
export type Damage = 'notJson' | 'truncated' | undefined;

/** Writes an answer; a truncated one declares its full length, and the connection is cut after half of it. */
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

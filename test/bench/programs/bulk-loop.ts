import { Pool } from 'undici';
import { serve, setting } from './serve.js';

/** The floor of a bulk update: the body's items as `PATCH` calls, one after another, and nothing else. */
const pool = new Pool(setting('STUB_URL'), { connections: 1 });
const headers = { 'content-type': 'application/json', 'x-api-key': setting('BACKEND_API_KEY'), 'x-org-id': 'acme' };

serve((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    // The runner sends the body of a bulk update callback.
    updateAll(JSON.parse(body) as { id: number; name: string }[]).then(
      () => response.end('{"status":"Success"}'),
      () => response.writeHead(500).end(),
    );
  });
});

async function updateAll(items: readonly { readonly id: number; readonly name: string }[]): Promise<void> {
  for (const { id, ...patch } of items) {
    const reply = await pool.request({
      method: 'PATCH',
      path: `/v1/mobiles/${id}`,
      headers,
      body: JSON.stringify(patch),
    });
    if (reply.statusCode !== 200) throw new Error(`PATCH answered ${reply.statusCode}.`);
    await reply.body.json();
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import { freePorts } from './child-program.js';
import { startRouter, type Treatment } from './router.js';

/** A callback that was called. */
interface RecordedCall {
  /** When it came, milliseconds since 1970. */
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The treatment of a callback; the proxy answers in JSON, like a gateway, with the job id that was sent. */
export type Answer =
  | Extract<Treatment, string>
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

/** Stands between the queue function and a gateway; everything but callbacks goes through untouched. */
export type CallbackProxy = Awaited<ReturnType<typeof startCallbackProxy>>;

/** Starts one on loopback. It forwards by default. */
export async function startCallbackProxy() {
  const [gatewayPort] = await freePorts(1);
  const router = await startRouter(`http://127.0.0.1:${gatewayPort}`);
  const calls: RecordedCall[] = [];
  let answers: readonly [Answer, ...Answer[]] = ['forward'];
  router.answer((_request, body, { url: path = '', headers }) => {
    if (!path.startsWith('/api/')) return 'forward';
    calls.push({ at: Date.now(), path, headers, body });
    const [next, following, ...later] = answers;
    if (following !== undefined) answers = [following, ...later];
    if (typeof next === 'string') return next;
    const { status, headers: extra, body: said = { message: `status ${status}` } } = next;
    const own = { 'content-type': 'application/json', 'x-job-id': String(headers['x-job-id']) };
    return { status, headers: { ...own, ...extra }, body: JSON.stringify(said) };
  });
  return {
    /** Makes a test gateway be reached through the proxy, by its queue function and by the test. */
    environment: { PORT: String(gatewayPort), GATEWAY_URL: router.url },
    calls: calls as readonly RecordedCall[],
    /** Replies to callbacks, in the order in which the gateway gave them. */
    get replies() {
      return router.replies.filter(({ request }) => request.includes(' /api/'));
    },
    /** The next calls get these answers, in order; the last one is for every call after that. */
    answer: (...given: readonly [Answer, ...Answer[]]): void => void (answers = given),
    close: router.close,
  };
}

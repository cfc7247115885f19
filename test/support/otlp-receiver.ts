import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveOnLoopback } from './loopback.js';

/** A span as far as tests look at it; its kind is 1 internal, 2 server, 3 client, 4 producer or 5 consumer. */
export type ReceivedSpan = Readonly<ReturnType<typeof spansOf>[number]>;

/** A collector of traces on loopback (OTLP over HTTP, JSON). */
export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly attributes: readonly KeyValue[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

/** Code of a status that is an error. */
const ERROR = 2;

export async function startOtlpReceiver() {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let how: 'take' | 'hang' | number = 'take';
  const { url, close } = await serveOnLoopback((request, response) => {
    void (async () => {
      const body = await text(request);
      if (how === 'hang') return;
      if (how !== 'take') {
        response.writeHead(how).end();
        return;
      }
      expectPath(request.url);
      bodies.push(body);
      headers.push(request.headers);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    })();
  });
  return {
    /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
    url,
    spans: () => bodies.flatMap(spansOf),
    /** The bodies that were received, unchanged. */
    text: () => bodies.join('\n'),
    headers,
    /** From now on requests are not answered, are refused with a status, or are taken again. */
    answer: (next: typeof how): void => void (how = next),
    close,
  };
}

function expectPath(path: string | undefined): void {
  if (path !== '/v1/traces') throw new Error(`Traces went to ${path}.`);
}

function spansOf(body: string) {
  const { resourceSpans } = JSON.parse(body) as ExportRequest; // as the protocol has it
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, kind, attributes, status }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind,
        service,
        attributes: valuesOf(attributes),
        failed: status?.code === ERROR,
      })),
    );
  });
}

/** Attributes by name; each value stands below its type. */
function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

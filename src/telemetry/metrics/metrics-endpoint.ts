import type { RequestListener } from 'node:http';
import type { MetricSet } from './metric-set.js';

/** Where the metrics are, and nothing else is. */
const PATH = '/metrics';

/** Answers scrapes, in the format that is asked for (RFC 9110, section 12.5.1). */
export function metricsEndpoint(metrics: MetricSet): RequestListener {
  return (request, response) => {
    const { method, url = '', headers } = request;
    request.resume();
    if (url.split('?', 1)[0] !== PATH) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at /metrics.\n');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const write = async (): Promise<void> => {
      const { contentType, text } = await metrics.exposition(formatFor(headers.accept));
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    };
    write().catch(() => response.writeHead(500).end());
  };
}

/** OpenMetrics where it is asked for by name and wanted as much as the text format; that one for everybody else. */
function formatFor(accept = ''): 'prometheus' | 'openmetrics' {
  const entries = accept.split(',').map((entry) => entry.trim().toLowerCase());
  const open = entries.filter((entry) => entry.startsWith('application/openmetrics-text'));
  const wanted = Math.max(0, ...open.map(qualityOf));
  const plain = Math.max(0, ...entries.filter((entry) => entry.startsWith('text/plain')).map(qualityOf));
  return wanted > 0 && wanted >= plain ? 'openmetrics' : 'prometheus';
}

function qualityOf(entry: string): number {
  const given = /;\s*q\s*=\s*([\d.]+)/.exec(entry)?.[1];
  return given === undefined ? 1 : Number(given);
}

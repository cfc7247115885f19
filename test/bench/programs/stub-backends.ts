import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, setting } from './serve.js';

/**
 * backend-api, geo-api and voip-api in one process, answering at once. Whatever does not depend on the request was
 * serialised before it came, so that little of the load's core is taken.
 */
const KEYS = bytesOf({ keys: [{ kid: setting('KEY_ID'), pem: setting('PUBLIC_KEY') }] });
const MOBILES = bytesOf({ items: Array.from({ length: 50 }, (_, index) => mobile(index + 1)) });
const TRACK = [0, 1, 2, 3].map((minute) => ({
  time: `2026-11-20T00:0${minute}:00Z`,
  lat: 35.4 + minute / 200,
  lng: 139.6,
  speedKmh: 40,
}));
const TRIPS = [
  {
    start: TRACK[0],
    end: TRACK[3],
    distanceMeters: 1_700,
    stopCount: 0,
    maxSpeedKmh: 45,
    idleSeconds: 0,
    track: TRACK,
  },
].map(({ start, end, ...trip }) => ({ start: fixOf(start), end: fixOf(end), ...trip }));

serve((request, response) => {
  const { method, url = '' } = request;
  if (url === '/v1/public-keys') return reply(response, KEYS);
  if (url === '/health') return reply(response, bytesOf({}));
  if (url.startsWith('/v1/presence?')) return reply(response, presence(url));
  if (url === '/v1/reverse-geocode') return answerBody(request, response, addresses);
  if (url === '/v1/mobiles/lookup') return answerBody(request, response, (body) => bytesOf(JSON.parse(body)));
  if (url.includes('/driving-record?')) return reply(response, bytesOf({ mobileId: url.split('/')[3], trips: TRIPS }));
  if (method === 'PATCH') {
    return answerBody(request, response, (body) =>
      // The runner sends the patches: objects.
      bytesOf({ ...mobile(Number(url.split('/')[3])), ...(JSON.parse(body) as object) }),
    );
  }
  if (method === 'GET' && url.startsWith('/v1/mobiles?')) return reply(response, MOBILES);
  response.writeHead(404).end();
});

function mobile(id: number): { readonly id: number } {
  const position = {
    lat: 35 + id / 100,
    lng: 139 + id / 100,
    speedKmh: (id * 7) % 90,
    heading: (id * 13) % 360,
    recordedAt: '2026-11-20T03:04:05Z',
  };
  return { id, ...{ num: `T-${1_000 + id}`, name: `Truck ${id}`, tagIds: [1, 2], position } };
}

function presence(url: string): Buffer {
  const ids = decodeURIComponent(url.slice(url.indexOf('=') + 1))
    .split(',')
    .map(Number);
  return bytesOf({
    items: ids.map((id) => ({
      mobileId: id,
      online: id % 3 !== 0,
      talkGroup: id % 5 === 0 ? null : `Group ${id % 5}`,
    })),
  });
}

function addresses(body: string): Buffer {
  // The gateway and its peers send points, as geo-api's contract says.
  const { points } = JSON.parse(body) as { points: readonly { lat: number; lng: number }[] };
  return bytesOf({
    addresses: points.map(({ lat, lng }) => `${Math.round(lat * 100)}-${Math.round(lng)} Harbour Road, Yokohama`),
  });
}

function fixOf(point: (typeof TRACK)[number] | undefined): object {
  return { time: point?.time, lat: point?.lat, lng: point?.lng };
}

function answerBody(request: IncomingMessage, response: ServerResponse, answer: (body: string) => Buffer): void {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => reply(response, answer(body)));
}

function reply(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

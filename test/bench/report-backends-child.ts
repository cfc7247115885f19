import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fullDay } from './report-day.js';

/**
 * backend-api and geo-api for a job of as many drivers as the first argument says, on a port of its own, which is
 * printed. What does not depend on the request was made before it came, so that it answers at once.
 */
const drivers = Number(process.argv[2]);
const records = new Map<string, Buffer>();
const addresses = new Map<string, string>();

for (let index = 0; index < drivers; index += 1) {
  const { driver, trips } = fullDay(index);
  const { mobileId } = driver;
  const bare = trips.map(({ startAddress, endAddress, ...trip }) => {
    addresses.set(placeOf(trip.start), startAddress ?? '');
    addresses.set(placeOf(trip.end), endAddress ?? '');
    return trip;
  });
  records.set(mobileId, bytesOf({ mobileId, trips: bare }));
}

const server = createServer((request, response) => {
  const { url = '' } = request;
  const [, , resource, id = ''] = url.split(/[/?]/);
  if (url === '/v1/reverse-geocode') answerBody(request, response);
  else if (url.includes('/driving-record?')) reply(response, records.get(id));
  else if (resource === 'mobiles') {
    const mobile = { id: Number(id), num: `V-${id}`, name: `Truck ${id}`, tagIds: [], position: null };
    reply(response, bytesOf(mobile));
  } else reply(response, undefined);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});

function answerBody(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    // The gateway sends what geo-api's contract says.
    const { points } = JSON.parse(Buffer.concat(parts).toString()) as { points: readonly Place[] };
    reply(response, bytesOf({ addresses: points.map((point) => addresses.get(placeOf(point)) || null) }));
  });
}

interface Place {
  readonly lat: number;
  readonly lng: number;
}

function placeOf({ lat, lng }: Place): string {
  return `${lat},${lng}`;
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function reply(response: ServerResponse, body: Buffer | undefined): void {
  if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

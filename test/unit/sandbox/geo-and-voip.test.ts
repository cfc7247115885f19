import { expect, it } from '@jest/globals';
import { useSandbox } from './sandbox-client.js';

const own = useSandbox();

interface Place {
  readonly lat: number;
  readonly lng: number;
}
interface Presence {
  readonly mobileId: number;
  readonly online: boolean;
  readonly talkGroup: string | null;
}

const addresses = async (...points: Place[]) =>
  (await own.ask<{ addresses: unknown[] }>('POST /v1/reverse-geocode', { points }, { of: 'geo-api' })).body.addresses;
const presence = async (...ids: number[]) => {
  const path = `/v1/presence?mobileIds=${ids.join(',')}`;
  return (await own.ask<{ items: Presence[] }>(`GET ${path}`, undefined, { of: 'voip-api' })).body.items;
};

it('geo-api gives Japanese addresses in the order of the points, and null where it knows none', async () => {
  const [tower, sea, yokohama, london] = await addresses(
    { lat: 35.6586, lng: 139.7454 },
    { lat: 30, lng: 150 },
    { lat: 35.46, lng: 139.64 },
    { lat: 51.5, lng: -0.1 },
  );
  expect(tower).toMatch(/^東京都港区芝公園4丁目\d+-\d+$/);
  expect(yokohama).toMatch(/^神奈川県川崎市川崎区宮本町\d丁目\d+-\d+$/);
  expect([sea, london]).toEqual([null, null]);
  expect(await addresses()).toEqual([]);
});

it('voip-api tells presence and talk group of the mobiles it knows, each once', async () => {
  const items = await presence(1, 2, 2, 1001, 17, 34, 5000);
  expect(items.map(({ mobileId }) => mobileId)).toEqual([1, 2, 1001]);
  expect(await presence(1001, 2, 1)).toEqual([...items].reverse());
});

import type { JTDDataType } from 'ajv/dist/jtd.js';
import type { GraphQLClient } from './graphql-client.js';
import { check } from './steps.js';
import { textTable } from './text-table.js';

/** Shape of a mobile. */
const MOBILE = {
  properties: {
    id: { type: 'int32' },
    num: { type: 'string' },
    name: { type: 'string' },
    tags: { nullable: true, elements: { properties: { name: { type: 'string' } } } },
    position: {
      nullable: true,
      properties: {
        latitude: { type: 'float64' }, longitude: { type: 'float64' }, speedKmh: { type: 'float64' },
        address: { type: 'string', nullable: true },
      },
    },
    voice: {
      nullable: true,
      properties: { online: { type: 'boolean' }, talkGroup: { type: 'string', nullable: true } },
    },
  },
} as const;

const LIST_MOBILES = {
  document: `
    query ListMobiles($first: Int!) {
      mobiles(first: $first) {
        edges {
          node {
            id num name
            tags { name }
            position { latitude longitude speedKmh address }
            voice { online talkGroup }
          }
        }
        pageInfo { hasNextPage }
      }
    }`,
  data: {
    properties: {
      mobiles: {
        properties: {
          edges: { elements: { properties: { node: MOBILE } } },
          pageInfo: { properties: { hasNextPage: { type: 'boolean' } } },
        },
      },
    },
  },
} as const;

/** A mobile as the demo shows it. */
export type Mobile = JTDDataType<typeof MOBILE>;

const PAGE_SIZE = 10;

/** What the later steps need: one mobile whose change succeeds, one whose change fails. */
const FEWEST_MOBILES = 2;

/** Shows the first mobiles. @returns them */
export async function listMobiles(client: GraphQLClient, print: (line: string) => void): Promise<readonly Mobile[]> {
  const { mobiles: { edges, pageInfo } } = await client.request(LIST_MOBILES, { first: PAGE_SIZE });
  const mobiles = edges.map(({ node }) => node);
  const headings = ['Number', 'Position', 'km/h', 'Voice', 'Name', 'Address', 'Tags'];
  for (const line of textTable(headings, mobiles.map(cellsOf))) print(`   ${line}`);
  print(`   ${mobiles.length} mobiles${pageInfo.hasNextPage ? ', and more on the next page' : ''}`);
  check(mobiles.length >= FEWEST_MOBILES, `The demo needs ${FEWEST_MOBILES} mobiles that the user may see.`);
  check(mobiles.length <= PAGE_SIZE, `${PAGE_SIZE} mobiles were asked for.`);
  return mobiles;
}

function cellsOf({ num, name, tags, position, voice }: Mobile): string[] {
  return [
    num,
    position ? `${position.latitude.toFixed(4)}, ${position.longitude.toFixed(4)}` : '',
    position ? String(Math.round(position.speedKmh)) : '',
    voice ? `${voice.online ? 'online' : 'offline'} ${voice.talkGroup ?? ''}` : '',
    name,
    position?.address ?? '',
    (tags ?? []).map((tag) => tag.name).join(', '),
  ];
}

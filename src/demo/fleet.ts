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
        latitude: { type: 'float64' },
        longitude: { type: 'float64' },
        speedKmh: { type: 'float64' },
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
const MOST_TAGS = 2;

/** The mobiles that were found; later steps need two. */
export type Mobiles = readonly [Mobile, Mobile, ...Mobile[]];

/** Shows the first mobiles. @returns them */
export async function listMobiles(client: GraphQLClient, print: (line: string) => void): Promise<Mobiles> {
  const {
    mobiles: { edges, pageInfo },
  } = await client.request(LIST_MOBILES, { first: PAGE_SIZE });
  const [first, second, ...more] = edges.map(({ node }) => node);
  check(first !== undefined && second !== undefined, 'The demo needs two mobiles that the user may see.');
  check(edges.length <= PAGE_SIZE, `${PAGE_SIZE} mobiles were asked for, and ${edges.length} came.`);
  const mobiles: Mobiles = [first, second, ...more];
  const headings = ['Number', 'Position', 'km/h', 'Voice', 'Name', 'Address', 'Tags'];
  for (const line of textTable(headings, mobiles.map(cellsOf))) print(`   ${line}`);
  print(`   ${mobiles.length} mobiles${pageInfo.hasNextPage ? ', and more on the next page' : ''}`);
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
    tagsOf(tags ?? []),
  ];
}

/** A few names, so that lines stay short. */
function tagsOf(tags: NonNullable<Mobile['tags']>): string {
  const names = tags
    .slice(0, MOST_TAGS)
    .map(({ name }) => name)
    .join(', ');
  return tags.length > MOST_TAGS ? `${names} +${tags.length - MOST_TAGS}` : names;
}

import { ListMobilesDocument, type ListMobilesQuery } from '../../../generated/demo-operations.js';
import { terminalTable } from '../process/terminal.js';
import type { RootField, Visit } from './graphql-client.js';
import { check } from './steps.js';

type MobileNode = NonNullable<RootField<ListMobilesQuery>['edges'][number]['node']>;

const PAGE_SIZE = 10;
const INDENT = '   ';

/** Found mobiles; later steps need two. */
export type Mobiles = readonly [MobileNode, MobileNode, ...MobileNode[]];

/** Lists and prints the first mobiles. @param columns limit of the width of their table */
export async function listMobiles({ client, print }: Visit, columns: number): Promise<Mobiles> {
  const { edges, pageInfo } = await client.request(ListMobilesDocument, { first: PAGE_SIZE });
  const [first, second, ...more] = edges.flatMap(({ node }) => node ?? []);
  check(first !== undefined && second !== undefined, 'The demo needs two mobiles that the user may see.');
  check(edges.length <= PAGE_SIZE, `${edges.length} mobiles came instead of ${PAGE_SIZE} at most.`);
  const mobiles: Mobiles = [first, second, ...more];
  const headings = ['Number', 'Name', 'km/h', 'Voice', 'Address', 'Tags'];
  const maxWidth = columns - INDENT.length;
  for (const line of terminalTable(mobiles.map(cellsOf), { headings, maxWidth })) print(`${INDENT}${line}`);
  print(`${INDENT}${mobiles.length} mobiles${pageInfo.hasNextPage ? ', and more on the next page' : ''}`);
  return mobiles;
}

function cellsOf({ num, name, tags, position, voice }: MobileNode): string[] {
  return [
    num,
    name,
    position ? String(Math.round(position.speedKmh)) : '',
    voice ? (voice.online ? 'online' : 'offline') : '',
    position?.address ?? '',
    tagsOf(tags ?? []),
  ];
}

/** Returns the first name and the number of the others, so that lines stay short. */
function tagsOf([first, ...others]: NonNullable<MobileNode['tags']>): string {
  return `${first?.name ?? ''}${others.length > 0 ? ` +${others.length}` : ''}`;
}

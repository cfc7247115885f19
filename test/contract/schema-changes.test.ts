/** Front ends are written against a released schema; the change log names every change that they may notice. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, isObjectType } from 'graphql';
import {
  changesBetween,
  interfaces,
  presentInterface,
  schemaChangelog,
  type Interface,
  type SchemaChange,
} from '../support/schema-changes.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Compared = Parameters<typeof changesBetween>[0];

/** Changes that clients may notice and that are missing from the section of their version. */
async function untold(before: Compared, after: Compared & Pick<Interface, 'version'>, changelog: string) {
  const [, section = ''] =
    new RegExp(`^## ${after.version.replaceAll('.', '\\.')}\\b.*\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(changelog) ?? [];
  const isNoticed = ({ effect }: SchemaChange): boolean => effect === 'breaks' || effect === 'may surprise';
  const changes = (await changesBetween(before, after)).filter(isNoticed);
  return changes.filter(({ path }) => !section.includes(`\`${path}\``));
}

const states = interfaces();

it.each(states.slice(1).map((state, index) => [state.version, states[index], state] as const))(
  'CHANGELOG.md tells under %s what front ends may notice of it',
  async (_version, before, after) => {
    if (before === undefined) throw new Error('There is a release before.');
    expect(await untold(before, after, read('CHANGELOG.md'))).toEqual([]);
  },
);

it('schema/CHANGELOG.md lists the changes of every release', async () => {
  expect(read('schema/CHANGELOG.md')).toBe(await schemaChangelog());
});

it('a deprecated field names its successor, which is there', () => {
  for (const type of Object.values(buildSchema(presentInterface().schema).getTypeMap()).filter(isObjectType)) {
    const reasons = Object.values(type.getFields()).flatMap(({ deprecationReason }) => deprecationReason ?? []);
    for (const reason of reasons) expect(Object.keys(type.getFields())).toContain(/^Use `(\w+)`/.exec(reason)?.[1]);
  }
});

describe('A change of the schema', () => {
  const SDL = `
    directive @bounds(maxLength: Int, min: Int) on ARGUMENT_DEFINITION
    directive @isAuthenticated on FIELD_DEFINITION
    directive @startsJob on FIELD_DEFINITION
    enum Kind { A B }
    interface Status { id: ID! }
    type One implements Status { id: ID! }
    input In { a: Int = 1 b: Int }
    scalar Time @specifiedBy(url: "a")
    type Query {
      list("Size, 200 at most." first: Int = 50, text: String @bounds(maxLength: 256), in: In): Status @isAuthenticated
      kind: Kind
      number: Int!
    }`;
  const limits = { 'Driver.mobileId.maxLength': 128 };
  const without = (text: string): [string, string] => [text, ''];

  it.each<[what: string, change: [from: string, to: string], path: string, effect: SchemaChange['effect']]>([
    ['a field that is gone', without('kind: Kind'), 'Query.kind', 'breaks'],
    ['a field that may be null now', ['number: Int!', 'number: Int'], 'Query.number', 'breaks'],
    ['an argument that is required', ['kind: Kind', 'kind(x: Int!): Kind'], 'Query.kind.x', 'breaks'],
    ['an argument that is optional', ['kind: Kind', 'kind(x: Int): Kind'], 'Query.kind.x', 'may surprise'],
    ['another default', ['first: Int = 50', 'first: Int = 20'], 'Query.list.first', 'may surprise'],
    ['no default', without(' = 50'), 'Query.list.first', 'may surprise'],
    ['another default of an input', ['a: Int = 1', 'a: Int = 2'], 'In.a', 'may surprise'],
    ['lower bounds', ['maxLength: 256', 'maxLength: 100'], 'Query.list.text', 'may surprise'],
    ['new bounds', ['Int = 50', 'Int = 50 @bounds(min: 1)'], 'Query.list.first', 'may surprise'],
    ['no bounds', without('@bounds(maxLength: 256)'), 'Query.list.text', 'may surprise'],
    ['a field that needs a token', ['kind: Kind', 'kind: Kind @isAuthenticated'], 'Query.kind', 'may surprise'],
    ['a field that needs no token', ['Status @isAuthenticated', 'Status'], 'Query.list', 'may surprise'],
    ['a field that starts a job', ['kind: Kind', 'kind: Kind @startsJob'], 'Query.kind', 'may surprise'],
    ['another specification of a scalar', ['url: "a"', 'url: "b"'], 'Time', 'may surprise'],
    ['a value of an enum', ['A B', 'A B C'], 'Kind.C', 'may surprise'],
    ['a kind of a job', ['enum', 'type Two implements Status { id: ID! } enum'], 'Two', 'may surprise'],
    ['a limit in words', ['Size, 200', 'Size, 100'], 'Query.list.first', 'may surprise'],
    ['a deprecation', ['number: Int!', 'number: Int! @deprecated(reason: "r")'], 'Query.number', 'deprecates'],
    ['that of an argument', [', in: In', ', in: In @deprecated(reason: "r")'], 'Query.list.in', 'deprecates'],
    ['that of an input', ['b: Int', 'b: Int @deprecated(reason: "r")'], 'In.b', 'deprecates'],
    ['a new field', ['kind: Kind', 'kind: Kind more: Int'], 'Query.more', 'adds'],
  ])('such as %s is found', async (_what, [from, to], path, effect) => {
    const changed = SDL.replace(from, to);
    expect(changed).not.toBe(SDL);
    const found = await changesBetween({ schema: SDL, limits }, { schema: changed, limits });
    expect(found).toContainEqual(expect.objectContaining({ path, effect }));
    for (const change of found) if (change.path !== path) expect(change.effect).toBe('adds');
  });

  it.each<[from: number | undefined, to: number | undefined]>([
    [1_000, 500],
    [undefined, 500],
    [1_000, undefined],
  ])('such as a limit from %s to %s is found, and has to be told in the section of its version', async (from, to) => {
    const having = (max?: number) => ({ schema: SDL, limits: { ...limits, ...(max && { BULK_MAX_ITEMS: max }) } });
    const [before, lower] = [having(from), { version: '1.2.0', ...having(to) }];
    const message = `Limit changed from '${from ?? ''}' to '${to ?? ''}'`;
    expect(await untold(before, lower, '# Changes\n')).toMatchObject([{ path: 'BULK_MAX_ITEMS', message }]);
    const told = '- `BULK_MAX_ITEMS` is 500.\n\n';
    expect(await untold(before, lower, `# Changes\n\n## 1.2.0 (2027-01-01)\n\n${told}## 1.1.0\n`)).toEqual([]);
    expect(await untold(before, lower, `# Changes\n\n## 1.2.0\n\n## 1.1.0\n\n${told}`)).toHaveLength(1);
  });
});

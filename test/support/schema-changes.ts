/** Changes of the schema between releases, for `schema/CHANGELOG.md` and for the test that each is told. */
import { readdirSync, readFileSync } from 'node:fs';
import { CriticalityLevel, diff, type Change } from '@graphql-inspector/core';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  print,
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
} from 'graphql';
import { VARIABLES } from '../../src/base/config/variables.js';

/** Schema and limits of a release. */
export interface Interface {
  /** `Unreleased` for the present state. */
  readonly version: string;
  readonly schema: string;
  /** Defaults of the configured limits, and bounds of bodies of jobs; empty for 0.1.0, which kept none. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Effects of a change on clients that were written before, the worst first. */
const EFFECTS = ['breaks', 'may surprise', 'deprecates', 'adds'] as const;

export interface SchemaChange {
  /** Such as `Query.mobiles.first`, or the name of a limit. */
  readonly path: string;
  readonly effect: (typeof EFFECTS)[number];
  readonly message: string;
}

const RELEASED = new URL('../contract/released/', import.meta.url);

const read = (url: URL): string => readFileSync(url, 'utf8');

/** Every release that was kept, the oldest first, and the present state. */
export function interfaces(): readonly Interface[] {
  const versions = readdirSync(RELEASED).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  const at = (version: string, file: string): URL => new URL(`${version}/${file}`, RELEASED);
  const kept = versions
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((version) => {
      const hasLimits = readdirSync(at(version, '.')).includes('limits.json');
      const limits = (hasLimits ? JSON.parse(read(at(version, 'limits.json'))) : {}) as Interface['limits']; // as kept
      return { version, schema: read(at(version, 'schema.graphql')), limits };
    });
  return [...kept, presentInterface()];
}

/** The schema and the limits of this state. */
export function presentInterface(): Interface {
  const generated = (name: string): string => read(new URL(`../../generated/${name}`, import.meta.url));
  const limits = Object.entries(VARIABLES).flatMap(([name, variable]) =>
    variable.at?.startsWith('limits.') ? [[name, Number(variable.development.replaceAll('`', ''))] as const] : [],
  );
  const { components } = JSON.parse(generated('openapi/gateway.json')) as { components: { schemas: object } }; // OpenAPI
  const all = Object.fromEntries([...limits, ...boundsIn(components.schemas)]);
  return { version: 'Unreleased', schema: generated('schema.graphql'), limits: all };
}

/** Returns the bounds in schemas by their places, such as `Driver.mobileId.maxLength`. */
function boundsIn(schemas: object, place: readonly string[] = []): readonly (readonly [string, number])[] {
  return Object.entries<unknown>({ ...schemas }).flatMap(([key, value]) => {
    const inside = key === 'properties' ? place : [...place, key];
    if (typeof value === 'object' && value !== null) return boundsIn(value, inside);
    return /^(min|max)/.test(key) ? [[inside.join('.'), Number(value)] as const] : [];
  });
}

/** The changes from one state to another, the worst first. */
export async function changesBetween(
  before: Pick<Interface, 'schema' | 'limits'>,
  after: Pick<Interface, 'schema' | 'limits'>,
): Promise<readonly SchemaChange[]> {
  const [old, present] = [buildSchema(before.schema), buildSchema(after.schema)];
  const found = [
    ...(await diff(old, present)).flatMap((change) => compared(change, old)),
    ...annotationChanges(old, present),
    ...limitChanges(before.limits, after.limits),
  ];
  return found.toSorted(
    (a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect) || a.path.localeCompare(b.path, 'en'),
  );
}

/** Returns what the comparison found, unless it is part of something new, or is compared by {@link annotationChanges}. */
function compared({ criticality, message, path = '', ...change }: Change, old: GraphQLSchema): readonly SchemaChange[] {
  const type = String(change.type);
  if (/^DIRECTIVE_USAGE_|DESCRIPTION|DEPRECATION/.test(type)) return [];
  const [typeName = ''] = path.split('.');
  if (type === 'OBJECT_TYPE_INTERFACE_ADDED') return [{ path, effect: 'may surprise', message }];
  if (type !== 'TYPE_ADDED' && old.getType(typeName) === undefined) return [];
  return [{ path, effect: EFFECT_OF[criticality.level], message }];
}

const EFFECT_OF = {
  [CriticalityLevel.Breaking]: 'breaks',
  [CriticalityLevel.Dangerous]: 'may surprise',
  [CriticalityLevel.NonBreaking]: 'adds',
} as const;

/** Parts of a place on which clients depend, and which the comparison of types does not see, with their effects. */
const ANNOTATIONS = [
  ['Deprecation', 'deprecates'],
  ['Directives', 'may surprise'],
  ['Numbers in the description', 'may surprise'],
] as const;

function annotationChanges(old: GraphQLSchema, present: GraphQLSchema): readonly SchemaChange[] {
  const before = annotationsOf(old);
  return [...annotationsOf(present)].flatMap(([path, now]) => {
    const then = before.get(path) ?? now;
    return ANNOTATIONS.flatMap(([what, effect], at) => {
      const message = `${what} changed from '${then[at]}' to '${now[at]}'`;
      return then[at] === now[at] ? [] : [{ path, effect, message }];
    });
  });
}

interface Described {
  readonly description?: string | null | undefined;
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined;
}

/** Returns the {@link ANNOTATIONS} of each place as texts. */
function annotationsOf(schema: GraphQLSchema): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const note = (path: string, { description, astNode }: Described): void => {
    const printed = (astNode?.directives ?? []).map(print).toSorted();
    const [deprecation = ''] = printed.filter((text) => text.startsWith('@deprecated'));
    const directives = printed.filter((text) => text !== deprecation).join(' ');
    found.set(path, [deprecation, directives, (description?.match(/\d+/g) ?? []).join(', ')]);
  };
  for (const type of Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))) {
    note(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const [name, field] of Object.entries<GraphQLInputField | GraphQLField<unknown, unknown>>(type.getFields())) {
      note(`${type.name}.${name}`, field);
      for (const argument of 'args' in field ? field.args : []) note(`${type.name}.${name}.${argument.name}`, argument);
    }
  }
  return found;
}

function limitChanges(old: Interface['limits'], present: Interface['limits']): readonly SchemaChange[] {
  const isKept = Object.keys(old).length > 0;
  return Object.keys(isKept ? { ...old, ...present } : {}).flatMap((path) => {
    const [then, now] = [old[path] ?? '', present[path] ?? ''];
    const message = `Limit changed from '${then}' to '${now}'`;
    return then === now ? [] : [{ path, effect: 'may surprise', message }];
  });
}

/** The page `schema/CHANGELOG.md`: a table for each release, the newest first. */
export async function schemaChangelog(): Promise<string> {
  const states = interfaces();
  const sections = await Promise.all(
    states.slice(1).map(async (state, index) => {
      const before = states[index];
      const changes = before === undefined ? [] : await changesBetween(before, state);
      const rows = changes.map(({ path, effect, message }) => `| \`${path}\` | ${effect} | ${message} |`);
      const table = ['| Place | Effect on clients | Change |', '|---|---|---|', ...rows];
      const content = rows.length === 0 ? ['The schema has not changed.'] : table;
      return [`## ${state.version}, compared with ${before?.version}`, '', ...content, ''];
    }),
  );
  return [
    '# Changes of the schema',
    '',
    'This page is made from the comparison of each released schema with the one before. [CHANGELOG.md](../CHANGELOG.md)',
    'says in words what the changes mean, and [README.md](README.md#promises) how long old fields stay. A change that may',
    'surprise adds what a complete client does not expect, such as a value of an enum, or changes a default or a limit.',
    '',
    ...sections.toReversed().flat(),
  ].join('\n');
}

/** Front ends are written against the schema that was released last; the change log names every change that breaks them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

/** Changes that break the clients of a released schema and are missing from the change log. */
async function untold(released: string, current: string, changelog: string): Promise<string[]> {
  const [, unreleased = ''] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
  const changes = await diff(buildSchema(released), buildSchema(current));
  return changes
    .filter(({ criticality, path }) => criticality.level === CriticalityLevel.Breaking && !tells(unreleased, path))
    .map(({ message }) => message);
}

/** @param path such as `Job.jobId`, which stands in backquotes */
function tells(text: string, path: string | undefined): boolean {
  return path !== undefined && text.includes(`\`${path}\``);
}

describe('A change of the schema', () => {
  it('breaks no client that was written for the released one, unless CHANGELOG.md says so', async () => {
    const current = read('../../generated/schema.graphql');
    expect(await untold(read('released/schema.graphql'), current, read('../../CHANGELOG.md'))).toEqual([]);
  });

  it.each([
    ['a field that is gone', 'type Query { a: Int }', "Field 'b' was removed from object type 'Query'", 'Query.b'],
    ['a field that may be null now', 'type Query { a: Int b: Int }', /changed type from 'Int!' to 'Int'/, 'Query.b'],
    ['an argument that is required', 'type Query { a(x: Int!): Int b: Int! }', /argument 'x: Int!'/i, 'Query.a.x'],
  ])('such as %s has to be in the change log', async (_what, changed, message, path) => {
    const released = 'type Query { a: Int b: Int! }';
    expect(await untold(released, changed, '# Changes\n')).toEqual([expect.stringMatching(message)]);
    const told = `# Changes\n\n## Unreleased\n\n- \`${path}\` changed.\n\n## 0.1.0\n`;
    expect(await untold(released, changed, told)).toEqual([]);
    const toldBefore = `# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- \`${path}\` changed.\n`;
    expect(await untold(released, changed, toldBefore)).toHaveLength(1);
  });

  it('that only adds something breaks no client', async () => {
    expect(await untold('type Query { a: Int }', 'type Query { a: Int b: Int }', '')).toEqual([]);
  });
});

/** A name that a file of `src/` exports means one thing: no other file declares it at its top for another. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { ROOT } from '../support/built-programs.js';

/** Name that a file declares at its top; `thing` is equal for aliases of one generated type. */
interface Declared {
  readonly name: string;
  readonly thing: string;
  readonly file: string;
  readonly isExported: boolean;
}

describe('names', () => {
  it('are declared by no second file once one exports them', () => {
    const files = ts.sys.readDirectory(join(ROOT, 'src'), ['.ts']);
    const declared = files.flatMap((file) => declaredIn(relative(ROOT, file), readFileSync(file, 'utf8')));
    expect(twins(declared)).toEqual([]);
  });

  it.each([
    ['two exports', 'export const one = 1, { two } = { two: 2 };', 'export type two = 2;', 'two: 1.ts, 2.ts'],
    ['an export and a private declaration', 'export class One {}', 'function One() {}', 'One: 1.ts, (2.ts)'],
    ['a later list of exports', 'const { one: [two] } = x; export { two };', 'enum two {}', 'two: 1.ts, (2.ts)'],
  ])('are found as %s', (_, one, other, twin) => {
    expect(twins([...declaredIn('1.ts', one), ...declaredIn('2.ts', other)])).toEqual([twin]);
  });

  it('may be private in many files, imported, passed on, and aliases of one generated type', () => {
    const alias = "type Mobile = components['schemas']['Mobile'];";
    const files = [
      'const one = 1;',
      'interface one {}',
      "import { two } from './two.js';",
      "export { two } from './two.js';",
      'export const two = 2;',
      `export ${alias}`,
      alias,
    ];
    expect(twins(files.flatMap((text, index) => declaredIn(`${index}.ts`, text)))).toEqual([]);
  });
});

function declaredIn(file: string, text: string): Declared[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const listed = new Set(source.statements.flatMap((statement) => listedBy(statement)));
  return source.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    const alias = ts.isTypeAliasDeclaration(statement) ? statement.type.getText(source) : '';
    return namesOf(statement).map((name) => {
      const thing = alias.endsWith(`chemas']['${name}']`) || alias === `Schemas['${name}']` ? name : file;
      return { name, thing, file, isExported: isExported || listed.has(name) };
    });
  });
}

function listedBy(statement: ts.Statement): readonly string[] {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier) return [];
  const { exportClause } = statement;
  if (!exportClause || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundBy(name));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function boundBy(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : boundBy(each.name)));
}

/** Returns `name: files` for each name that stands for two things and is exported once; private ones in parentheses. */
function twins(declared: readonly Declared[]): string[] {
  return [...new Set(declared.map(({ name }) => name))].sort().flatMap((name) => {
    const all = declared.filter((each) => each.name === name);
    if (new Set(all.map(({ thing }) => thing)).size === 1 || !all.some(({ isExported }) => isExported)) return [];
    const files = new Set(all.map(({ file, isExported }) => (isExported ? file : `(${file})`)));
    return [`${name}: ${[...files].join(', ')}`];
  });
}

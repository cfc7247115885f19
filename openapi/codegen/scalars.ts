import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { isScalarType, isSpecifiedScalarType } from 'graphql';

/**
 * Code generator plugin: the TypeScript type of each custom scalar, as it is in a reply, as JSON. Code generators of
 * front ends take it as their option `scalars`.
 *
 * @throws {Error} a custom scalar of the schema has no type, or a type has no scalar
 */
export const plugin: PluginFunction<{ readonly transported: Readonly<Record<string, string>> }> = (
  schema,
  _files,
  { transported },
) => {
  const custom = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name);
  const faults = [
    ...custom.filter((name) => !Object.hasOwn(transported, name)).map((name) => `The scalar ${name} has no type.`),
    ...Object.keys(transported)
      .filter((name) => !custom.includes(name))
      .map((name) => `${name} is no custom scalar of the schema.`),
  ];
  if (faults.length > 0) throw new Error(`${faults.join(' ')} Correct TRANSPORTED_SCALARS in codegen.ts.`);
  return `${JSON.stringify(transported, null, 2)}\n`;
};

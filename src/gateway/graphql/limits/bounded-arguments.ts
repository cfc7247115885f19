import { defaultFieldResolver, getDirectiveValues, isObjectType, type GraphQLSchema } from 'graphql';
import type { BoundsDirectiveArgs } from '../../../../generated/graphql.js';
import { faultOf, invalidInput, MAX_FAULTS, type FieldFault } from '../../../base/errors.js';
import { identifierIn } from '../../../base/wire/json-content.js';

const DIRECTIVE = 'bounds';

/**
 * Puts a check in front of the resolver of every field with an argument that carries `@bounds`: outside the bounds, it
 * throws `BadInput` naming arguments and limits. Changes the schema in place. Call it once per schema, before its
 * fields are guarded, so that unauthorized callers do not learn the bounds.
 *
 * @throws {Error} the schema has no such directive
 */
export function boundArguments(schema: GraphQLSchema): void {
  const directive = schema.getDirective(DIRECTIVE);
  if (!directive) throw new Error(`The schema does not declare @${DIRECTIVE}.`);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const bounded = field.args.flatMap(({ name, astNode }) => {
        const bounds: BoundsDirectiveArgs | undefined = astNode ? getDirectiveValues(directive, astNode) : undefined;
        return bounds ? [{ name, bounds }] : [];
      });
      if (bounded.length === 0) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, values: Record<string, unknown>, context, info) => {
        const faults = bounded.flatMap(({ name, bounds }) => boundsFaultsOf([name], values[name], bounds));
        if (faults.length > 0) throw invalidInput(faults.slice(0, MAX_FAULTS));
        return resolve(parent, values, context, info);
      };
    }
  }
}

/** Returns the faults of a value, {@link MAX_FAULTS} at most. */
function boundsFaultsOf(path: FieldFault['path'], value: unknown, bounds: BoundsDirectiveArgs): readonly FieldFault[] {
  const { maxLength, maxItems, min } = bounds;
  if (typeof value === 'string' && typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return [{ path, ...faultOf('TextTooLong', { max: maxLength }) }];
  }
  if (typeof value === 'string' && typeof min === 'number' && (identifierIn(value) ?? -1) < min) {
    return [{ path, ...faultOf('NotInteger', { min, max: Number.MAX_SAFE_INTEGER }) }];
  }
  if (!Array.isArray(value)) return [];
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return [{ path, ...faultOf('ListTooLong', { max: maxItems }) }];
  }
  const faults: FieldFault[] = [];
  for (let index = 0; index < value.length && faults.length < MAX_FAULTS; index += 1) {
    faults.push(...boundsFaultsOf([...path, index], value[index], bounds));
  }
  return faults;
}

/** Counts characters as Unicode code points, as JSON Schema does. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

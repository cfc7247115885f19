import { isInterfaceType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';

/** `directive @isAuthenticated on FIELD_DEFINITION` (specification, "JWT Bearer (GraphQL)", step 1). */
const DIRECTIVE = 'isAuthenticated';

/** Whether the field carries the directive. */
export function isProtected(field: GraphQLField<unknown, unknown> | undefined): boolean {
  return field?.astNode?.directives?.some((directive) => directive.name.value === DIRECTIVE) ?? false;
}

/**
 * Refuses a schema that carries the directive anywhere but on fields of Query and Mutation. Deeper, a field
 * can be reached in ways that a guard does not see, through an interface for one.
 *
 * @throws {Error} naming every such field
 */
export function assertDirectiveOnRootFields(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const misplaced = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .filter((type) => !roots.some((root) => root === type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter(isProtected)
        .map((field) => `${type.name}.${field.name}`),
    );
  if (misplaced.length > 0) {
    throw new Error(
      `@${DIRECTIVE} is allowed on fields of Query and Mutation only, and stands on ${misplaced.join(', ')}`,
    );
  }
}

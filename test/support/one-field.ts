/** The least that a schema of this gateway can be: one field, and the directives that are looked for. */
export const ONE_FIELD = `
  directive @isAuthenticated on FIELD_DEFINITION
  directive @bounds(maxLength: Int, maxItems: Int, min: Int) on ARGUMENT_DEFINITION
  type Query { field: String }
`;

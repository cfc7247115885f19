import type { OpenApiContract } from './openapi-contract.js';

/**
 * Loads a file of the project's `openapi/` folder at first use. Reading it with its libraries takes half as long as a
 * start of the gateway, which does not call the backends.
 *
 * @param name such as `backend-api`
 */
export function contractLater(name: string): () => Promise<OpenApiContract> {
  let loading: Promise<OpenApiContract> | undefined;
  return () => (loading ??= load(name));
}

async function load(name: string): Promise<OpenApiContract> {
  const { OpenApiContract } = await import('./openapi-contract.js');
  return OpenApiContract.load(name);
}

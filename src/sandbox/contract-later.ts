import type { OpenApiContract } from './openapi-contract.js';

/**
 * Reads a file of the project's `openapi/` folder when it is first asked for. Together with the libraries for it, that
 * takes as long as half of a start of the gateway, which has nothing to ask its backends.
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

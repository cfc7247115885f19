import type { Operation } from './openapi-operations.js';

/** An operation with the decoded texts of its path parameters. */
export interface PathMatch {
  readonly operation: Operation;
  readonly texts: Record<string, string>;
}

/** Finds the operation for a method (upper case) and a percent-encoded path. */
export type PathMatcher = (method: string, path: string) => PathMatch | undefined;

/** A matcher in which paths without parameters win over others (OpenAPI 3.1, "Path Templating Matching"). */
export function pathMatcher(operations: readonly Operation[], parametersWithSlashes: readonly string[]): PathMatcher {
  const candidates = operations
    .map((operation) => ({ operation, pattern: templatePattern(operation.template, parametersWithSlashes) }))
    .sort((one, other) => parameterCount(one.operation) - parameterCount(other.operation));

  return (method, path) => {
    for (const { operation, pattern } of candidates) {
      if (operation.method !== method) continue;
      const groups = pattern.exec(path)?.slice(1);
      const texts = groups && decodedTexts(operation, groups);
      if (texts !== undefined) return { operation, texts };
    }
    return undefined;
  };
}

function templatePattern(template: string, parametersWithSlashes: readonly string[]): RegExp {
  const source = template.split(/(\{[^}]+\})/).map((part) => {
    if (!part.startsWith('{')) return part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
    return parametersWithSlashes.includes(part.slice(1, -1)) ? '(.+)' : '([^/]+)';
  });
  return new RegExp(`^${source.join('')}$`);
}

function parameterNames({ template }: Operation): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

function parameterCount(operation: Operation): number {
  return parameterNames(operation).length;
}

function decodedTexts(operation: Operation, groups: readonly string[]): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      parameterNames(operation).map((name, index) => [name, decodeURIComponent(groups[index] ?? '')]),
    );
  } catch {
    return undefined;
  }
}

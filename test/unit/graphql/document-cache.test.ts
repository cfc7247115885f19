import { expect, it } from '@jest/globals';
import { createDocumentCache } from '../../../src/gateway/graphql/documents/document-cache.js';

/** More characters than all documents together may have that are kept. */
const CROWD = Array.from({ length: 2_000 }, (_, number) => `${'#'.repeat(1_000)}${number}`);

it('The document cache keeps what came twice while many come once, and lets the oldest of these go', () => {
  const cache = createDocumentCache<{ text: string }>();
  const comes = (text: string): void => {
    if (cache.get(text) === undefined) cache.set(text, { text });
  };
  comes('{ me }');
  expect(cache.get('{ me }')).toBeUndefined();
  comes('{ me }');
  expect(cache.get('{ me }')).toEqual({ text: '{ me }' });
  CROWD.forEach(comes);
  expect(cache.get('{ me }')).toBeDefined();
  for (const text of CROWD) [text, text].forEach(comes);
  expect(cache.get('{ me }')).toBeUndefined();
  expect(cache.get(CROWD.at(-1) ?? '')).toBeDefined();
});

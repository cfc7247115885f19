import { describe, expect, it } from '@jest/globals';
import { createDocumentCache } from '../../../src/graphql/documents/document-cache.js';

/** More characters than all documents together may have that are kept. */
const CROWD = 2_000;
const CROWD_TEXT = '#'.repeat(1_000);

/** A request for a document, which is examined if the cache does not know it. Returns whether the cache knew it. */
function comes(cache: ReturnType<typeof createDocumentCache<{ text: string }>>, text: string): boolean {
  if (cache.get(text) !== undefined) return true;
  cache.set(text, { text });
  return false;
}

describe('the document cache', () => {
  it('keeps nothing of a document that came once, and what became of one that came twice', () => {
    const cache = createDocumentCache<{ text: string }>();
    expect(comes(cache, '{ me }')).toBe(false);
    expect(cache.get('{ me }')).toBeUndefined();
    comes(cache, '{ me }');
    expect(cache.get('{ me }')).toEqual({ text: '{ me }' });
  });

  it('keeps documents that come again, however many others come once meanwhile', () => {
    const cache = createDocumentCache<{ text: string }>();
    comes(cache, '{ me }');
    comes(cache, '{ me }');
    for (let number = 0; number < CROWD; number += 1) comes(cache, `${CROWD_TEXT}${number}`);
    expect(comes(cache, '{ me }')).toBe(true);
  });

  it('lets those go that have not come for longest when many come again', () => {
    const cache = createDocumentCache<{ text: string }>();
    comes(cache, '{ me }');
    comes(cache, '{ me }');
    for (let number = 0; number < CROWD; number += 1) {
      comes(cache, `${CROWD_TEXT}${number}`);
      comes(cache, `${CROWD_TEXT}${number}`);
    }
    expect(cache.get('{ me }')).toBeUndefined();
    expect(cache.get(`${CROWD_TEXT}${CROWD - 1}`)).toBeDefined();
  });
});

/** Part of bidi-js that is used. Its own types claim an ES module, but its file is CommonJS. */
declare module 'bidi-js' {
  interface EmbeddingLevels {
    readonly levels: Uint8Array;
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
  }
  function bidiFactory(): {
    /** Returns the levels of the UTF-16 units of a text; its first letter determines its direction. */
    getEmbeddingLevels(text: string): EmbeddingLevels;
    /** Returns the indices of the units from left to right. */
    getReorderedIndices(text: string, levels: EmbeddingLevels): number[];
    getMirroredCharacter(character: string): string | null;
  };
  export = bidiFactory;
}

/** Part of linebreak that is used; it has no types of its own. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** Returns the next place where a line may end, in UTF-16 units, and null after the end of the text. */
    nextBreak(): { readonly position: number } | null;
  }
}

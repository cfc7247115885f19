/** The part of bidi-js that is used. Its own types claim an ES module, and its file is CommonJS. */
declare module 'bidi-js' {
  interface EmbeddingLevels {
    readonly levels: Uint8Array;
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
  }
  function bidiFactory(): {
    /** Levels of the UTF-16 units of a text, whose direction is that of its first letter. */
    getEmbeddingLevels(text: string): EmbeddingLevels;
    /** Places of the units, from left to right. */
    getReorderedIndices(text: string, levels: EmbeddingLevels): number[];
    getMirroredCharacter(character: string): string | null;
  };
  export = bidiFactory;
}

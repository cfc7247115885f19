/** Part of linebreak that is used; it has no types of its own. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** Returns the next place where a line may end, in UTF-16 units, and null after the end of the text. */
    nextBreak(): { readonly position: number } | null;
  }
}

/** Minimum entries of a page; fewer look lost there. */
const MIN_ENTRIES = 3;

/**
 * Divides entries among pages.
 *
 * @param ending height of the content below the last entry; never alone on a page
 * @param first room of the first page; @param further room of each other page
 */
export function divideRows(
  heights: readonly number[],
  ending: number,
  first: number,
  further: number,
): readonly { readonly from: number; readonly to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let open = { from: 0, to: 0 };
  parts.push(open);
  let room = first;
  heights.forEach((height, index) => {
    const needed = index === heights.length - 1 ? height + ending : height;
    if (needed > room && (open.to > open.from || room < further)) {
      open = { from: index, to: index };
      parts.push(open);
      room = further;
    }
    open.to = index + 1;
    room -= height;
  });
  const before = parts.at(-2);
  const missing = MIN_ENTRIES - (open.to - open.from);
  if (before === undefined || missing <= 0 || before.to - before.from < 2 * MIN_ENTRIES) return parts;
  before.to -= missing;
  open.from -= missing;
  return parts;
}

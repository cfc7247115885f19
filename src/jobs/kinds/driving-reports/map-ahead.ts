/**
 * Maps items in order with up to `ahead` calls under way, so that input is fetched while the consumer works. A failed
 * call is thrown when its turn comes; leaving the loop early starts no further call.
 */
export async function* mapAhead<Item, Result>(
  items: readonly Item[],
  ahead: number,
  map: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  let next = 0;
  const start = (): void => {
    for (const item of items.slice(next, next + ahead - underWay.length)) {
      const result = map(item, next);
      // Its turn may come late or never; until then a rejection must not count as unhandled.
      result.catch(() => undefined);
      underWay.push(result);
      next += 1;
    }
  };
  start();
  for (let result = underWay.shift(); result !== undefined; result = underWay.shift()) {
    const value = await result;
    start();
    yield value;
  }
}

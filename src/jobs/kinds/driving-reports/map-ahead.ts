/**
 * Maps items in order with up to `ahead` calls under way, so that input is fetched while the consumer works. The error
 * of a failed call is thrown in the place of its result. A consumer that leaves the loop early starts no further call.
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
      // The result may be awaited late or never; until then a rejection must not count as unhandled.
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

/** Waits for all of them, and then fails if one did: a failure leaves none of the others under way. */
export async function together(underWay: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(underWay);
  await Promise.all(underWay);
}

/** Half a MiB, which the second level of a core's cache can hold if nobody else uses it. */
const LINKS = 2 ** 17;
const STEPS = 2 * LINKS;
/** Whatever interrupts one of them for a moment is not meant. */
const TURNS = 3;

const links = cycleOf(LINKS);
let at = 0;

/** Asked over IPC, it answers how long a read within the cache of its core takes, in nanoseconds. */
process.on('message', () => {
  follow(LINKS);
  const times = Array.from({ length: TURNS }, () => {
    const startedAt = performance.now();
    follow(STEPS);
    return ((performance.now() - startedAt) * 1e6) / STEPS;
  });
  process.send?.(Math.min(...times));
});

/** Each read says where the next one is, so that none can begin before the one before it has ended. */
function follow(steps: number): void {
  for (let step = 0; step < steps; step += 1) at = links[at] ?? 0;
}

/** Every place once, in an order that no processor foresees: each holds the next one. */
function cycleOf(length: number): Int32Array {
  const next = Int32Array.from({ length }, (_, index) => index);
  for (let place = length - 1; place > 0; place -= 1) {
    const other = Math.floor(Math.random() * place);
    const taken = next[place] ?? 0;
    next[place] = next[other] ?? 0;
    next[other] = taken;
  }
  return next;
}

// Whoever started it is gone.
process.on('disconnect', () => process.exit());

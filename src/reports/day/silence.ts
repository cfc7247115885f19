/** A longer time without a fix is unknown ground: a gap on the chart, a dashed line on the route. */
export const MAX_SILENCE_MS = 5 * 60_000;

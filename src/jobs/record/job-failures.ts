import type { ItemErrorCode } from '../../base/error-table.js';

/** Values in a text by name: numbers, texts and lists of texts. */
export type NotedValues = Readonly<Record<string, unknown>>;

/** Failure of one item, or of several in a row that failed alike. */
export interface NotedFailure {
  /** Index of the item, or of the first one, from 0. */
  readonly from: number;
  readonly to?: number;
  /** Name of the item, such as its login id; absent if unknown. */
  readonly label?: string;
  readonly code: ItemErrorCode;
  /** Row of the error table; absent if none was noted. */
  readonly reason?: string;
  /** Values in the text of the reason; none if absent. */
  readonly values?: NotedValues;
  /** Text for callers, where no reply was sent that has it. */
  readonly message?: string;
}

export type FailureOfItem = Omit<NotedFailure, 'from' | 'to'> & { readonly index: number };

/**
 * Joins the failures of neighbours that failed alike; without any, the result has no property.
 *
 * @param items in the order of their indexes
 */
export function notedFailures(items: readonly FailureOfItem[]): { readonly failures?: readonly NotedFailure[] } {
  const noted: { from: number; to?: number; alike: string; failure: Omit<FailureOfItem, 'index'> }[] = [];
  for (const { index, values = {}, ...rest } of items) {
    const failure = { ...rest, ...(Object.keys(values).length > 0 && { values }) };
    const alike = JSON.stringify(failure);
    const last = noted.at(-1);
    if (last?.alike === alike && index === (last.to ?? last.from) + 1) last.to = index;
    else noted.push({ from: index, alike, failure });
  }
  if (noted.length === 0) return {};
  return { failures: noted.map(({ alike: _compared, failure, ...range }) => ({ ...range, ...failure })) };
}

export function failuresOfItems(noted: readonly NotedFailure[] = []): readonly FailureOfItem[] {
  return noted.flatMap(({ from, to = from, ...failure }) =>
    Array.from({ length: to - from + 1 }, (_, offset) => ({ index: from + offset, ...failure })),
  );
}

export function failureCount(noted: readonly NotedFailure[] = []): number {
  return noted.reduce((count, { from, to = from }) => count + to - from + 1, 0);
}

/** Returns the beginning of an error text in the reply of a bulk job, before the message. */
export function errorPlace({ index, label }: Pick<FailureOfItem, 'index' | 'label'>): string {
  return label === undefined ? `[${index}] ` : `[${index}] ${label}: `;
}

/** Returns true if the errors of a reply are made from the failures, which have their messages. */
function sayMessages(noted: readonly NotedFailure[] = []): noted is readonly NotedFailure[] {
  return noted.some(({ message }) => message !== undefined);
}

/** Returns the stored text of a reply that was not sent: without the errors that the failures say. */
export function replyToStore(text: string, noted: readonly NotedFailure[] | undefined): string {
  if (!sayMessages(noted)) return text;
  const { errors: _made, ...reply } = JSON.parse(text) as object & { errors?: unknown }; // of a bulk job, an object
  return JSON.stringify(reply);
}

/** Returns a stored reply whole: with its errors, if the failures say them. */
export function storedReplyOf(text: string, noted: readonly NotedFailure[] | undefined): string {
  if (!sayMessages(noted)) return text;
  const errors = failuresOfItems(noted).map((failure) => `${errorPlace(failure)}${failure.message ?? ''}`);
  return JSON.stringify({ ...(JSON.parse(text) as object), errors }); // of a bulk job, an object
}

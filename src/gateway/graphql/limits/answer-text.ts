import { visit, type GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../../../base/errors.js';
import type { JobStatus } from '../../../jobs/job-status.js';
import { responseName } from '../documents/collected-fields.js';

/**
 * Text of the jobs in the answer of one operation. The first job is always answered whole, and measured only if there
 * is a second one, because most operations poll one job. Its fields take their part in the order of the document.
 */
class AnswerText {
  readonly #max: number;
  readonly #info: GraphQLResolveInfo;
  #first: JobStatus | undefined;
  /** Number of times that a job's text may be in the answer, because of aliases. */
  #times: number | undefined;
  #used = 0;
  #before: Promise<unknown> = Promise.resolve();

  constructor(max: number, info: GraphQLResolveInfo) {
    this.#max = max;
    this.#info = info;
  }

  /** Reads jobs once the fields before have theirs. */
  inOrder<T>(read: () => Promise<T>): Promise<T> {
    const result = this.#before.then(read);
    this.#before = result.catch(() => undefined);
    return result;
  }

  /** Adds a job, if there is room for it. */
  fits(status: JobStatus): boolean {
    if (this.#first === undefined) {
      this.#first = status;
      return true;
    }
    const times = (this.#times ??= timesIn(this.#info));
    this.#used ||= JSON.stringify(this.#first).length * times;
    const length = JSON.stringify(status).length * times;
    if (this.#used + length > this.#max) return false;
    this.#used += length;
    return true;
  }

  tooLarge(): GatewayError {
    return new GatewayError('AnswerTooLarge', { limit: this.#max });
  }

  /** Adds the job that a field reads. @throws {GatewayError} `AnswerTooLarge` */
  async add(reading: Promise<JobStatus | null>): Promise<JobStatus | null> {
    // Awaited below, after the fields before.
    reading.catch(() => undefined);
    return this.inOrder(async () => {
      const status = await reading;
      if (status !== null && !this.fits(status)) throw this.tooLarge();
      return status;
    });
  }
}

/** Returns the text of an operation's answer, from the context and the `info` of one of its resolvers. */
export type AnswerTextOf = (operation: object, info: GraphQLResolveInfo) => AnswerText;

/** @param max of the text of jobs in an answer, in characters */
export function answerTexts(max: number): AnswerTextOf {
  const texts = new WeakMap<object, AnswerText>();
  return (operation, info) => {
    const text = texts.get(operation) ?? new AnswerText(max, info);
    texts.set(operation, text);
    return text;
  };
}

/** Returns the largest number of times that aliases can repeat a value within a root field. */
function timesIn({ operation, fragments, schema }: GraphQLResolveInfo): number {
  const rootFields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
  const names = new Map<string, Set<string>>();
  for (const definition of [operation, ...Object.values(fragments)]) {
    visit(definition, {
      Field(field) {
        const { value: name } = field.name;
        if (name in rootFields) return;
        names.set(name, (names.get(name) ?? new Set()).add(responseName(field)));
      },
    });
  }
  return [...names.values()].reduce((product, { size }) => product * size, 1);
}

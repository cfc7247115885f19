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
  #before: Promise<unknown> | undefined;

  constructor(max: number, info: GraphQLResolveInfo) {
    this.#max = max;
    this.#info = info;
  }

  /** Reads jobs once the fields before have theirs. */
  inOrder<T>(read: () => Promise<T>): Promise<T> {
    const result = this.#before === undefined ? read() : this.#before.then(read, read);
    this.#before = result;
    return result;
  }

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
  add(reading: Promise<JobStatus | null>): Promise<JobStatus | null> {
    const before = this.#before;
    const inOrder = before === undefined ? reading : Promise.allSettled([before, reading]).then(() => reading);
    const result = inOrder.then((status) => {
      if (status !== null && !this.fits(status)) throw this.tooLarge();
      return status;
    });
    this.#before = result;
    return result;
  }
}

/** Context of an operation, which keeps the text of its jobs. */
export interface AnswerContext {
  answerText?: AnswerText | undefined;
}

/** Returns the text of an operation's answer, from the context and the `info` of one of its resolvers. */
export type AnswerTextOf = (context: AnswerContext, info: GraphQLResolveInfo) => AnswerText;

/** @param max of the text of jobs in an answer, in characters */
export function answerTexts(max: number): AnswerTextOf {
  return (context, info) => (context.answerText ??= new AnswerText(max, info));
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

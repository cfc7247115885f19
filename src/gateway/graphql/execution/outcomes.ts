import { isPromise } from '@envelop/core';
import {
  isObjectType,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { IsSerializable } from './serializable-values.js';

/** Context of operations; without outcomes, nothing is recorded. */
export interface RecordedContext {
  outcomes?: Outcomes | undefined;
}

type Resolver = GraphQLFieldResolver<unknown, RecordedContext>;

type Path = GraphQLResolveInfo['path'];

class Thrown {
  constructor(readonly error: unknown) {}
}

/** Outcome of resolvers that have not ended when their operation is cut short. */
export const STILL_OPEN = new Error('This had not ended when the operation was cut short.');

const REJECTED = Promise.reject(STILL_OPEN);
REJECTED.catch(() => undefined);

/**
 * Recorded results of the resolvers of an operation. With these, graphql-js can answer without a second call of a
 * resolver: instead of compiled code, and with a part of an operation that is still running.
 */
export class Outcomes {
  readonly #checks: ReadonlyMap<FieldNode, IsSerializable> | undefined;
  readonly #recorded: (readonly [Path, unknown])[] = [];
  #byPath: Map<string, unknown> | undefined;
  #cut: ReadonlyMap<string | number, Error> | undefined;

  /** @param checks of returned values, by field node, for compiled code */
  constructor(checks?: ReadonlyMap<FieldNode, IsSerializable>) {
    this.#checks = checks;
  }

  /** Lets each resolver that was called before return its recorded result from now on. */
  replay(): void {
    this.#byPath = new Map(this.#recorded.map(([path, outcome]) => [pathKeyOf(path), outcome]));
  }

  /**
   * Lets no resolver be called from now on. Those that have ended return their recorded result; others fail (`OPEN`).
   *
   * @param errors of root fields that fail, whatever their result is
   */
  cut(errors: ReadonlyMap<string | number, Error> = new Map()): void {
    this.#cut = errors;
    this.replay();
  }

  /** Calls a resolver, or returns its recorded outcome during replay, if any, and after the cut. */
  call(resolve: Resolver, ...[source, args, context, info]: Parameters<Resolver>): unknown {
    const error = info.path.prev === undefined ? this.#cut?.get(info.path.key) : undefined;
    if (error !== undefined) throw error;
    if (this.#byPath !== undefined) {
      const key = pathKeyOf(info.path);
      if (this.#byPath.has(key)) {
        const outcome = this.#byPath.get(key);
        if (outcome instanceof Thrown) throw outcome.error;
        return this.#cut !== undefined && isPromise(outcome) ? Promise.race([outcome, REJECTED]) : outcome;
      }
      if (this.#cut !== undefined) throw STILL_OPEN;
    }
    let outcome: unknown;
    try {
      outcome = resolve(source, args, context, info);
    } catch (error) {
      this.#recorded.push([info.path, new Thrown(error)]);
      throw error;
    }
    this.#recorded.push([info.path, outcome]);
    const [node] = info.fieldNodes;
    const isSerializable = node && this.#checks?.get(node);
    if (!isSerializable) return outcome;
    return isPromise(outcome)
      ? outcome.then((value) => required(value, isSerializable))
      : required(outcome, isSerializable);
  }
}

/** Throws for an unsound value, so that compiled code calls no resolver below it. */
function required(value: unknown, isSerializable: IsSerializable): unknown {
  if (!isSerializable(value)) throw new Error('graphql-js has to look at this value.');
  return value;
}

/** Keys are unique: names begin with a letter or an underscore, indexes with a digit. */
function pathKeyOf(path: Path | undefined): string {
  return path === undefined ? '' : `${pathKeyOf(path.prev)}/${path.key}`;
}

/** Enables recording of a schema's resolvers. Changes the schema in place; call it once per schema, last. */
export function recordResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    if (type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (resolve === undefined) continue;
      field.resolve = (source, args, context: RecordedContext, info): unknown =>
        context.outcomes === undefined
          ? resolve(source, args, context, info)
          : context.outcomes.call(resolve, source, args, context, info);
    }
  }
}

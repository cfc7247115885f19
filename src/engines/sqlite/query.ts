import type Database from 'libsql';
import { DamagedRecordError } from '../../job-record/fields.js';

/** A row, its columns in the order of the statement. */
export type Row = readonly unknown[];

/** Something that can stand for a `?` of a statement. */
type Parameter = string | number | null;

/** A prepared statement. */
export class Query {
  readonly #statement: Database.Statement;

  constructor(connection: Database.Database, sql: string) {
    const statement = connection.prepare(sql);
    this.#statement = statement.reader ? statement.raw() : statement;
  }

  /** The first row, or undefined. */
  first(...parameters: Parameter[]): Row | undefined {
    return rowOf(this.#statement.get(parameters));
  }

  /** Every row. */
  all(...parameters: Parameter[]): readonly Row[] {
    return this.#statement.all(parameters).flatMap((row) => [rowOf(row) ?? []]);
  }

  /** Changes rows. @returns how many */
  run(...parameters: Parameter[]): number {
    return this.#statement.run(parameters).changes;
  }
}

function rowOf(row: unknown): Row | undefined {
  return Array.isArray(row) ? row : undefined;
}

/** @throws {DamagedRecordError} when the column holds something else */
export function textIn(row: Row, column: number): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new DamagedRecordError('A stored row is damaged: a column is no text.');
}

/** @throws {DamagedRecordError} when the column holds something else */
export function numberIn(row: Row, column: number): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new DamagedRecordError('A stored row is damaged: a column is no number.');
}

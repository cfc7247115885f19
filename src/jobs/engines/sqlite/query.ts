import type Database from 'libsql';
import type { JobIdentity } from '../../record/job-record.js';
import { jobOfMember, memberOf, organisationTag } from '../../record/organisation-jobs.js';

export type Row = readonly unknown[];

type Parameter = string | number | null;

/** Prepared statement. The tables are `STRICT`, so that each column of a row has its declared type. */
export class Query {
  readonly #statement: Database.Statement;

  constructor(connection: Database.Database, sql: string) {
    const statement = connection.prepare(sql);
    this.#statement = statement.reader ? statement.raw() : statement;
  }

  first(...parameters: Parameter[]): Row | undefined {
    return rowOf(this.#statement.get(parameters));
  }

  all(...parameters: Parameter[]): readonly Row[] {
    return this.#statement.all(parameters).map((row) => rowOf(row) ?? []);
  }

  /** Makes something of each row and the job that its first two columns name; rows with an invalid key are left out. */
  jobs<T>(parameters: readonly Parameter[], make: (job: JobIdentity, row: Row) => T): readonly T[] {
    return this.all(...parameters).flatMap((row) => {
      const job = jobOfMember(String(row[0]), String(row[1]));
      return job === undefined ? [] : [make(job, row)];
    });
  }

  run(...parameters: Parameter[]): number {
    return this.#statement.run(parameters).changes;
  }
}

function rowOf(row: unknown): Row | undefined {
  return Array.isArray(row) ? row : undefined;
}

export function keyOf(job: JobIdentity): readonly [org: string, id: string] {
  return [organisationTag(job.org), memberOf(job)];
}

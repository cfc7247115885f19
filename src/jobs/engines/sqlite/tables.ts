/**
 * Bytes of the records of each organisation and orderer, which is empty if unknown, and triggers that keep them. 0.2.0
 * does not have them, and writes through them.
 */
export const KEPT_TABLE = `
CREATE TABLE kept (
  org TEXT NOT NULL, orderer TEXT NOT NULL, bytes INTEGER NOT NULL, jobs INTEGER NOT NULL, PRIMARY KEY (org, orderer)
) STRICT, WITHOUT ROWID;
INSERT INTO kept SELECT org, coalesce(orderer, ''), sum(octet_length(record)), count(*) FROM jobs
  WHERE listed = 1 GROUP BY 1, 2;
CREATE TRIGGER kept_more AFTER INSERT ON jobs WHEN new.listed = 1 BEGIN
  INSERT INTO kept VALUES (new.org, coalesce(new.orderer, ''), octet_length(new.record), 1)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes, jobs = jobs + 1;
END;
CREATE TRIGGER kept_changed AFTER UPDATE OF record ON jobs WHEN new.listed = 1 BEGIN
  UPDATE kept SET bytes = bytes + octet_length(new.record) - octet_length(old.record)
    WHERE org = new.org AND orderer = coalesce(new.orderer, '');
END;
CREATE TRIGGER kept_less AFTER DELETE ON jobs WHEN old.listed = 1 BEGIN
  UPDATE kept SET bytes = bytes - octet_length(old.record), jobs = jobs - 1
    WHERE org = old.org AND orderer = coalesce(old.orderer, '');
  DELETE FROM kept WHERE org = old.org AND orderer = coalesce(old.orderer, '') AND jobs = 0;
END`;

/** Table of the times that the file has seen, which 0.2.0 does not have; it has one row at most. */
export const CLOCK_TABLE = `CREATE TABLE IF NOT EXISTS clock (
  seen_at INTEGER NOT NULL, ahead_at INTEGER NOT NULL, ran_ms INTEGER NOT NULL) STRICT`;

/**
 * Tables. `org` is an organisation as `organisationTag` writes it, `id` a job as `{kind}:{encoded id}`; points in time
 * are milliseconds since 1970.
 *
 * - `jobs`: `record` is the JSON of the record's fields; the other columns repeat those used in queries. `claimed_at`
 *   is 0 for a job that is claimed as a placeholder, `listed` is 1 for an ordered one, `orderer` is null if unknown.
 * - `messages`: queued ones and, with `died_at`, dead letters. `due_at` is the time when a message may be taken: now,
 *   after a back-off, or at the end of the lease of the consumer that holds it under `token`. `is_open` is 1 until its
 *   job has ended. The payload, which may be large, is separate, because the others change often.
 */
export const TABLES = `
CREATE TABLE jobs (
  org TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, created_at INTEGER NOT NULL, listed INTEGER NOT NULL,
  claimed_at INTEGER, leased_until INTEGER, expires_at INTEGER NOT NULL, orderer TEXT,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX jobs_listed ON jobs (org, created_at, id, orderer) WHERE listed = 1;
CREATE INDEX jobs_leased ON jobs (org, leased_until, claimed_at) WHERE leased_until IS NOT NULL;
CREATE INDEX jobs_expiring ON jobs (expires_at);

CREATE TABLE items (
  org TEXT NOT NULL, id TEXT NOT NULL, item INTEGER NOT NULL, outcome TEXT NOT NULL,
  PRIMARY KEY (org, id, item),
  FOREIGN KEY (org, id) REFERENCES jobs ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  org TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
  token TEXT, is_open INTEGER NOT NULL, opened_at INTEGER NOT NULL, bytes INTEGER NOT NULL,
  died_at INTEGER, reason TEXT,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX messages_due ON messages (due_at, token) WHERE died_at IS NULL;
CREATE INDEX messages_dead ON messages (died_at) WHERE died_at IS NOT NULL;
CREATE INDEX messages_open ON messages (org, opened_at, bytes) WHERE is_open = 1;

CREATE TABLE payloads (
  org TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL,
  PRIMARY KEY (org, id),
  FOREIGN KEY (org, id) REFERENCES messages ON DELETE CASCADE
) STRICT;

CREATE TABLE callback_ids (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX callback_ids_expiring ON callback_ids (expires_at);

CREATE TABLE probe (written_at INTEGER NOT NULL) STRICT;
INSERT INTO probe VALUES (0)`;

import { ConfigError, type Config } from '../config/config.js';
import type { ReadDocuments } from '../graphql/documents/persisted-documents.js';
import type { PersistedOperationsOptions } from '../graphql/documents/persisted-operations.js';
import { readReportForms } from '../jobs/kinds/driving-reports/report-form-file.js';
import type { ReportForm } from '../reports/form/report-form.js';

/** Returns the faults of the configured files, one line each. */
export async function findFileFaults(config: Config): Promise<readonly string[]> {
  const { persistedOperations, report } = config;
  const read = await Promise.all([
    ...(persistedOperations === undefined ? [] : [readOperations(config, persistedOperations)]),
    ...(report.formFile === undefined ? [] : [readReportForms(report.formFile)]),
  ]);
  return read.flatMap(({ faults }) => faults);
}

/** @throws {ConfigError} naming each fault */
export async function openReportForm({ report }: Config): Promise<ReportForm | undefined> {
  if (report.formFile === undefined) return undefined;
  const { forms, faults } = await readReportForms(report.formFile);
  if (faults.length > 0) throw new ConfigError(faults);
  return forms[report.locale];
}

/** @throws {ConfigError} naming each unusable entry */
export async function openPersistedOperations(config: Config): Promise<PersistedOperationsOptions | undefined> {
  if (config.persistedOperations === undefined) return undefined;
  const { documents, faults } = await readOperations(config, config.persistedOperations);
  if (faults.length > 0) throw new ConfigError(faults);
  return { documents, only: config.persistedOperations.only };
}

async function readOperations(
  { limits, production }: Config,
  { file }: { readonly file: string },
): Promise<ReadDocuments> {
  const { createSchemaWithoutResolvers } = await import('../graphql/schema.js');
  const { readPersistedDocuments } = await import('../graphql/documents/persisted-documents.js');
  return readPersistedDocuments(file, createSchemaWithoutResolvers(), { limits, privateSchema: production });
}

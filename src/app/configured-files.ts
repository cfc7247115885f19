import { ConfigError, type Config } from '../config/config.js';
import type { ReadDocuments } from '../graphql/documents/persisted-documents.js';
import type { PersistedOperationsOptions } from '../graphql/documents/persisted-operations.js';
import type { ReportForm } from '../reports/form/report-form.js';
import { readFile } from 'node:fs/promises';
import { describeError, toLine } from '../errors.js';
import { readForms, type ReadForms } from '../reports/form/read-forms.js';

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

/**
 * Reads the file of `REPORT_FORM_FILE`. Validates the forms of all languages, used or not.
 *
 * @param file path of a JSON file
 */
export async function readReportForms(file: string): Promise<ReadForms> {
  const fault = (text: string): ReadForms => ({ forms: {}, faults: [`${file} (REPORT_FORM_FILE) ${text}`] });
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return fault(`cannot be read: ${describeError(error)}.`);
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return fault(`is no JSON: ${toLine(describeError(error))}.`);
  }
  const { forms, faults } = readForms(given);
  return { forms, faults: faults.map((each) => `${file} (REPORT_FORM_FILE) ${toLine(each)}`) };
}

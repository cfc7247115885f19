import { readFile } from 'node:fs/promises';
import { ConfigError, type Config } from '../../base/config/config.js';
import { MAX_SETTINGS_BYTES, requireBoundedFile } from '../../base/config/variable.js';
import type { Findings } from '../../jobs/engines/job-engine.js';
import type { PersistedOperationsOptions } from '../../gateway/graphql/documents/persisted-operations.js';
import { type ReportForm, readForms, type ReadForms } from '../../reports/report-form.js';
import { describeError, toLine } from '../../base/errors.js';

/** Finds faults and doubts of the configured files, one line each. */
export async function findFileFindings(config: Config): Promise<Findings> {
  const doubts: string[] = [];
  const opened = [openPersistedOperations(config, (doubt) => doubts.push(doubt)), openReportForm(config)];
  const faults = opened.map((file) =>
    file.then(
      () => [],
      (error: unknown) => {
        if (error instanceof ConfigError) return error.faults;
        throw error;
      },
    ),
  );
  return { faults: (await Promise.all(faults)).flat(), doubts };
}

/** Reads the form of the configured language. @throws {ConfigError} naming each fault */
export async function openReportForm({ report }: Config): Promise<ReportForm | undefined> {
  if (report.formFile === undefined) return undefined;
  const { forms, faults } = await readReportForms(report.formFile);
  if (faults.length > 0) throw new ConfigError(faults);
  return forms[report.locale];
}

/**
 * Reads the persisted operations. @throws {ConfigError} naming each unusable entry
 *
 * @param onDoubt called for each entry that is refused when it is called
 */
export async function openPersistedOperations(
  config: Config,
  onDoubt: (doubt: string) => void,
): Promise<PersistedOperationsOptions | undefined> {
  const { persistedOperations, limits, production } = config;
  if (persistedOperations === undefined) return undefined;
  const { createSchemaWithoutResolvers } = await import('../../gateway/graphql/schema.js');
  const { readPersistedDocuments } = await import('../../gateway/graphql/documents/persisted-documents.js');
  const rules = { limits, privateSchema: production };
  const schema = createSchemaWithoutResolvers();
  const { documents, faults, doubts } = await readPersistedDocuments(persistedOperations.file, schema, rules);
  if (faults.length > 0) throw new ConfigError(faults);
  doubts.forEach(onDoubt);
  return { documents, only: persistedOperations.only };
}

/** Reads and checks the forms of all languages, used or not. @param file path of a JSON file (`REPORT_FORM_FILE`) */
export async function readReportForms(file: string): Promise<ReadForms> {
  const fault = (text: string): ReadForms => ({ forms: {}, faults: [`${file} (REPORT_FORM_FILE) ${text}`] });
  let given: unknown;
  try {
    requireBoundedFile(file, MAX_SETTINGS_BYTES);
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    return fault(`${problem}: ${toLine(describeError(error))}.`);
  }
  const { forms, faults } = readForms(given);
  return { forms, faults: faults.map((each) => `${file} (REPORT_FORM_FILE) ${toLine(each)}`) };
}

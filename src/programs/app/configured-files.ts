import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError, type Config } from '../../base/config/config.js';
import { MAX_SETTINGS_BYTES, requireBoundedFile } from '../../base/config/variable.js';
import type { Findings } from '../../jobs/engines/job-engine.js';
import type { PersistedOperationsOptions } from '../../gateway/graphql/documents/persisted-operations.js';
import type { ReportSettingsOf } from '../../jobs/kinds/driving-reports-job.js';
import { MAX_LOGO_BYTES, readLogo } from '../../reports/logo.js';
import { readForms, type ReadForms } from '../../reports/report-form.js';
import { describeError, toLine } from '../../base/errors.js';

export async function findFileFindings(config: Config): Promise<Findings> {
  const doubts: string[] = [];
  const opened = [openPersistedOperations(config, (doubt) => doubts.push(doubt)), openReportSettings(config)];
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

/** Reads the settings of reports by organisation. @throws {ConfigError} naming each fault */
export async function openReportSettings({ report }: Config): Promise<ReportSettingsOf> {
  const { formFile, maxTaggedPages: _ofRenderer, ...settings } = report;
  const { forms, organisations, faults } = formFile === undefined ? NO_FORMS : await readReportForms(formFile);
  if (faults.length > 0) throw new ConfigError(faults);
  return (org = '') => {
    const shown = { ...settings, ...organisations.get(org) };
    return { ...shown, form: forms[shown.locale] };
  };
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

/** Forms by language, and settings of organisations by code, as reports take them. */
interface ReportForms extends Omit<ReadForms, 'organisations'> {
  readonly organisations: ReadonlyMap<string, Partial<ReturnType<ReportSettingsOf>>>;
}

const NO_FORMS: ReportForms = { forms: {}, organisations: new Map(), faults: [] };

/**
 * Reads and checks the forms of all languages, used or not, and the organisations with their logos.
 *
 * @param file path of a JSON file (`REPORT_FORM_FILE`)
 */
export async function readReportForms(file: string): Promise<ReportForms> {
  const named = (text: string): string => `${file} (REPORT_FORM_FILE) ${toLine(text)}`;
  let given: unknown;
  try {
    requireBoundedFile(file, MAX_SETTINGS_BYTES);
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    return { ...NO_FORMS, faults: [named(`${problem}: ${toLine(describeError(error))}.`)] };
  }
  const { forms, organisations: read, faults } = readForms(given);
  const organisations = new Map<string, Partial<ReturnType<ReportSettingsOf>>>();
  for (const [code, { name, logo, ...own }] of read) {
    const settings = { ...own, organisation: name };
    organisations.set(code, settings);
    if (logo === undefined) continue;
    try {
      const path = resolve(dirname(file), logo.file);
      requireBoundedFile(path, MAX_LOGO_BYTES);
      organisations.set(code, { ...settings, logo: await readLogo(await readFile(path), logo.alternative) });
    } catch (error) {
      faults.push(`organisations.${code}.logo ${logo.file} cannot be used: ${toLine(describeError(error))}.`);
    }
  }
  return { forms, organisations, faults: faults.map(named) };
}

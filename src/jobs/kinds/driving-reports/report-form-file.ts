import { readFile } from 'node:fs/promises';
import { describeError, toLine } from '../../../errors.js';
import { readForms, type ReadForms } from '../../../reports/form/read-forms.js';

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

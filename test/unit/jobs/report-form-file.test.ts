import { execFileSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/base/config/load-config.js';
import { findFileFindings, readReportForms } from '../../../src/programs/app/configured-files.js';
import { forAllTests, temporaryDirectory } from '../../support/resources.js';

const directory = forAllTests(temporaryDirectory);

async function fileWith(text: string): Promise<string> {
  const file = join(directory.path, 'form.json');
  await writeFile(file, text);
  return file;
}

describe('the file of report forms', () => {
  it('gives the forms of each language, and no faults when all is well', async () => {
    const { forms, faults } = await readReportForms(await fileWith('{"ja":{"era":true},"en":{"stamps":["Office"]}}'));
    expect(forms).toMatchObject({ ja: { era: true }, en: { era: false, stamps: ['Office'] } });
    expect(faults).toEqual([]);
  });

  it('that cannot be read is one fault, which names it and its variable', async () => {
    const file = join(directory.path, 'none.json');
    expect(await readReportForms(file)).toEqual({
      forms: {},
      faults: [expect.stringMatching(/none\.json \(REPORT_FORM_FILE\) cannot be read: .*ENOENT.*\.$/)],
    });
  });

  it.each(['a FIFO', 'a directory', 'a file of 200 MB'])(
    'that is %s is refused at once, as persisted operations are',
    async (kind) => {
      const file = join(directory.path, kind);
      if (kind === 'a FIFO') execFileSync('mkfifo', [file]);
      else if (kind === 'a directory') await mkdir(file);
      else {
        await writeFile(file, '');
        await truncate(file, 200_000_000);
      }
      const variables = { REPORT_FORM_FILE: file, PERSISTED_OPERATIONS_FILE: file, PERSISTED_OPERATIONS: 'only' };
      const { faults } = await findFileFindings(loadConfig(variables));
      const why = kind === 'a file of 200 MB' ? 'it has 200000000 bytes, more than ' : 'it is not a regular file';
      const refused = [/\(PERSISTED_OPERATIONS_FILE\) cannot be read: /, /\(REPORT_FORM_FILE\) cannot be read: /];
      expect(faults).toEqual(refused.map((named) => expect.stringMatching(named)));
      for (const fault of faults) expect(fault).toContain(why);
    },
  );

  it('that holds no JSON is one fault, on one line of a bearable length', async () => {
    const file = await fileWith(`nonsense ${'x'.repeat(1_000)}`);
    const { forms, faults } = await readReportForms(file);
    expect([forms, faults]).toEqual([{}, [expect.stringContaining(`${file} (REPORT_FORM_FILE) is not JSON: `)]]);
    expect(faults[0]?.length).toBeLessThan(file.length + 300);
  });

  it('has a line for each fault, with the file, and the forms that are right all the same', async () => {
    const file = await fileWith('{"ja":{"era":"yes"},"fr":{},"en":{"stamps":["Office"]}}');
    const { forms, faults } = await readReportForms(file);
    expect(forms.en).toMatchObject({ stamps: ['Office'] });
    expect(faults).toEqual([
      `${file} (REPORT_FORM_FILE) ja.era must be true or false.`,
      `${file} (REPORT_FORM_FILE) has a form for "fr"; there are en, ja.`,
    ]);
  });
});

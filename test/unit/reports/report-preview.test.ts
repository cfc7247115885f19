import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readPdf } from '../../support/pdf-text.js';
import { forAllTests, temporaryDirectory } from '../../support/resources.js';
import { describeWith } from '../../support/system-tools.js';

/** The script of `npm run report:preview`. */
const PREVIEW = 'test/support/report-preview.ts';

describeWith(['pdftoppm'], 'The preview of a report', () => {
  const directory = forAllTests(temporaryDirectory);

  const preview = (...options: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['--import', 'tsx', PREVIEW, ...options], { encoding: 'utf8' });

  it('is a PDF in the language that was asked for, with a picture of each page beside it', async () => {
    const { status, stdout } = preview('--drivers', '2', '--trips', '2', '--locale', 'ja', '--out', directory.path);
    expect(status).toBe(0);
    const [file = ''] = stdout.split('\n');
    const { pages } = await readPdf(readFileSync(file));
    expect(pages).toHaveLength(3);
    expect(pages[0]).toContain('運転日報');
    const pictures = readdirSync(directory.path)
      .filter((name) => name.endsWith('.png'))
      .sort();
    expect(pictures).toHaveLength(3);
    for (const name of pictures) expect(readFileSync(join(directory.path, name)).toString('latin1', 1, 4)).toBe('PNG');
  });

  it('explains its options, and which of them is wrong', () => {
    const help = ['run', '--silent', 'report:preview', '--', '--help'];
    expect(spawnSync('npm', help, { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--drivers N'),
      stderr: '',
    });
    const wrong = preview('--drivers', '0');
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^--drivers is a whole number from 1 to 10000, not 0\.\n\nUsage/);
    const form = join(directory.path, 'form.json');
    writeFileSync(form, '{ "ja": { "era": 1 } }');
    const faulty = preview('--form', form, '--out', directory.path);
    expect(faulty).toMatchObject({ status: 2, stderr: expect.stringContaining('ja.era must be true or false.') });
    expect(preview('--colour')).toMatchObject({ status: 2, stderr: expect.stringContaining('--colour') });
  });
});

import { execFileSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { encode } from 'fast-png';
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
      organisations: new Map(),
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

  const SAMPLES = { width: 3, height: 2 } as const;
  const rgba = (channels: number): Uint8Array => Uint8Array.from({ length: 6 * channels }, (_, index) => index);

  type Coloured = Pick<Parameters<typeof encode>[0], 'palette'> & { readonly channels: number };

  it.each<[string, Coloured, string, number, number | undefined]>([
    ['grey', { channels: 1 }, 'DeviceGray', 6, undefined],
    ['grey with opacity', { channels: 2 }, 'DeviceGray', 6, 6],
    ['colours', { channels: 3 }, 'DeviceRGB', 18, undefined],
    ['colours with opacity', { channels: 4 }, 'DeviceRGB', 18, 6],
    [
      'a palette',
      { channels: 1, palette: [[255, 0, 0, 10], ...Array.from({ length: 5 }, () => [0, 0, 9, 255])] },
      'DeviceRGB',
      18,
      6,
    ],
  ])('takes a logo of %s, as an image of a PDF', async (_of, { channels, ...more }, ColorSpace, samples, opacity) => {
    await writeFile(join(directory.path, 'logo.png'), encode({ ...SAMPLES, channels, data: rgba(channels), ...more }));
    const file = await fileWith(
      JSON.stringify({ organisations: { acme: { logo: { file: 'logo.png', alternative: 'ACME' } } } }),
    );
    const { organisations, faults } = await readReportForms(file);
    expect(faults).toEqual([]);
    const { logo } = organisations.get('acme') ?? {};
    expect(logo).toMatchObject({ ...SAMPLES, alternative: 'ACME', entries: { ColorSpace, BitsPerComponent: 8 } });
    expect(inflateSync(logo?.samples ?? '')).toHaveLength(samples);
    expect(logo?.opacity && inflateSync(logo.opacity).length).toBe(opacity);
  });

  it.each([
    ['is missing', undefined, 'ENOENT'],
    ['is no PNG file', Buffer.from('GIF89a'.padEnd(40)), 'it is not a PNG file'],
    ['is too large', Buffer.alloc(200_001), 'it has 200001 bytes, more than the 200000'],
    [
      'is too wide',
      encode({ width: 1_001, height: 1, channels: 1, data: new Uint8Array(1_001) }),
      'it has 1001 × 1 pixels, more than 1000 × 400',
    ],
    ['is damaged', Buffer.from(encode({ ...SAMPLES, channels: 1, data: rgba(1) })).fill(0, 45, 55), 'CRC mismatch'],
  ] as const)('names a logo that %s', async (_why, logo, reason) => {
    if (logo !== undefined) await writeFile(join(directory.path, 'bad.png'), logo);
    const name = logo === undefined ? 'none.png' : 'bad.png';
    const file = await fileWith(
      JSON.stringify({ organisations: { acme: { logo: { file: name, alternative: 'A' } } } }),
    );
    const { faults } = await findFileFindings(loadConfig({ REPORT_FORM_FILE: file }));
    expect(faults).toEqual([expect.stringMatching(`organisations.acme.logo ${name} cannot be used: .*${reason}`)]);
  });
});

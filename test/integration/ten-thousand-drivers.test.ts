import { expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../src/reports/model.js';
import { coverPages } from '../../src/reports/page/cover-layout.js';
import { createReportRenderer } from '../../src/reports/render/renderer.js';
import { sampleOutcomes } from '../support/sample-report.js';
import { readPdf } from '../support/pdf-text.js';
import { OPTIONS } from '../unit/reports/drawn.js';

const DRIVERS = 10_000;
/** The thread that draws gives way to everything else on the machine. */
const IN_TIME = 600_000;

it(
  'A report of ten thousand drivers has a page for each that has data, behind a cover that lists them all',
  async () => {
    const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
    const parts: Uint8Array[] = [];
    const drawn: string[] = [];
    async function* outcomes(): AsyncGenerator<DriverOutcome> {
      for await (const outcome of sampleOutcomes(DRIVERS, { locale: 'en', tripsPerDriver: 2, trackPoints: 10 })) {
        if (outcome.kind === 'day') drawn.push(outcome.driver.employeeCode);
        yield outcome;
      }
    }
    try {
      const report = { ...OPTIONS, driverCount: DRIVERS };
      for await (const part of renderer.render(report, outcomes(), new AbortController().signal)) parts.push(part);
    } finally {
      await renderer.close();
    }
    const {
      pages: [last = ''],
      pageCount,
    } = await readPdf(Buffer.concat(parts), -1);
    expect(pageCount).toBe(drawn.length + coverPages(DRIVERS));
    expect(last).toContain(drawn.at(-1));
    expect(last.replaceAll('\n', ' ')).toContain(`Page ${pageCount}`);
  },
  IN_TIME,
);

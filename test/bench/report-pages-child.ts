import { drawByHand, drawOurs, drawWithPdfmake, openChromium } from './report-contenders.js';
import { ownProcessorTime, processorTimeOfTree } from './report-processor-time.js';
import { fullDay } from './report-day.js';
import { FontLibrary } from '../../src/reports/text/font-library.js';
import { median } from './requests/section.js';

const ROUNDS = 9;
/** 800 pages: the just-in-time compiler is still at work then, as it is in a gateway that draws a few reports an hour. */
const WARM_UP_ROUNDS = 4;
/** Like the jobs that are compared with it: as long, and with as many before. */
const LIKE_JOBS = { drivers: 1_000, warmUp: 1, rounds: 5 } as const;
const PAGES = 200;
const CHROMIUM = '/usr/bin/chromium';

/**
 * Lets one contender print its pages again and again and prints the median processor time of a page, in
 * milliseconds. Each has a process of its own, so that none suffers from what another one left in memory.
 */
process.stdout.write((await medianTime(process.argv[2] ?? '')).toFixed(4));

async function medianTime(contender: string): Promise<number> {
  const days = Array.from({ length: PAGES }, (_, index) => fullDay(index));
  switch (contender) {
    case 'floor':
      return median(await rounds(() => ({ bytes: drawByHand(days).length, pages: PAGES })));
    case 'ours':
    case 'ours-tagged': {
      const fonts = new FontLibrary();
      fonts.warm();
      return median(await rounds(async () => ({ pages: await drawOurs(days, fonts, contender === 'ours-tagged') })));
    }
    case 'ours-like-jobs': {
      const fonts = new FontLibrary();
      fonts.warm();
      const many = Array.from({ length: LIKE_JOBS.drivers }, (_, index) => fullDay(index));
      const draw = async (): Promise<{ pages: number }> => {
        await drawOurs(many, fonts, false);
        return { pages: LIKE_JOBS.drivers };
      };
      return median(await rounds(draw, ownProcessorTime, LIKE_JOBS));
    }
    case 'pdfmake':
      return median(await rounds(async () => ({ bytes: (await drawWithPdfmake(days)).length, pages: PAGES })));
    case 'chromium': {
      const browser = await openChromium(CHROMIUM);
      const time = (): number => ownProcessorTime() + processorTimeOfTree(browser.pid);
      try {
        return median(await rounds(async () => ({ bytes: (await browser.print(days)).length, pages: PAGES }), time));
      } finally {
        await browser.close();
      }
    }
    default:
      throw new Error(`There is no contender called ${contender}.`);
  }
}

/** Processor times of a page, in milliseconds. */
async function rounds(
  print: () => { readonly pages: number } | Promise<{ readonly pages: number }>,
  time: () => number = ownProcessorTime,
  count: { readonly warmUp: number; readonly rounds: number } = { warmUp: WARM_UP_ROUNDS, rounds: ROUNDS },
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count.warmUp + count.rounds; round += 1) {
    const start = time();
    const { pages } = await print();
    if (round >= count.warmUp) times.push((time() - start) / pages);
  }
  return times;
}

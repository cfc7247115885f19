import type { ReportDriver } from '../model.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { wrapText, type WrappedText, type Wrapping } from '../text/wrap-text.js';
import { IDENTITY } from './driver-layout.js';
import { paragraph, paragraphOfLines } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** A value of the strip: in one large line, or in two small ones. */
interface Entry {
  readonly label: string;
  readonly value: string;
  readonly x: number;
  readonly width: number;
  readonly size: number;
  readonly weight: Wrapping['weight'];
  /** Stands below the value, which then has one line. */
  readonly below?: string;
}

/** A value that needs two lines in its own size stands closer to its name; a longer one is smaller. */
const SMALL = { size: 7.5, first: 109, lineHeight: 9 } as const;
const LINES = IDENTITY.second - IDENTITY.first;
const REGISTRATION = { x: 424 } as const;

/** How a driver is named in bookmarks and on continuation pages. */
export function subjectOf(driver: ReportDriver): string {
  return [driver.employeeCode, driver.employeeName].map(cleanText).filter(Boolean).join(' ') || NO_VALUE;
}

/** Draws who drove what. @returns what had to be cut, to be printed in full below */
export function drawIdentity(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  driver: ReportDriver,
): readonly string[] {
  const { labels, words, blocks } = report;
  const hasRegistration = blocks.length > 0;
  page.artwork('identity strip', (canvas) => {
    const hairline = { width: 0.4, colour: COLOURS.hairline };
    canvas.line([PAGE.left, IDENTITY.rule], [RIGHT_EDGE, IDENTITY.rule], hairline);
    if (!hasRegistration) return;
    const y = IDENTITY.second;
    canvas.line([PAGE.left + REGISTRATION.x, y], [RIGHT_EDGE, y], { width: 0.6, colour: COLOURS.muted });
  });
  const cut: string[] = [];
  for (const entry of entriesOf(report, driver)) {
    const x = PAGE.left + entry.x;
    page.fixture(`identity ${entry.label}`, section, (fixed) =>
      paragraph(fixed, section, 'P', entry.label, x, IDENTITY.label, { size: 6.5, width: entry.width }),
    );
    if (!drawValue(report, page, section, entry, x)) {
      cut.push(labels.inFull(entry.label, [entry.value, entry.below ?? ''].map(cleanText).filter(Boolean).join(' ')));
    }
  }
  if (hasRegistration) {
    const label = { size: 6.5, width: CONTENT_WIDTH - REGISTRATION.x };
    const x = PAGE.left + REGISTRATION.x;
    page.fixture('identity registration', section, (fixed) =>
      paragraph(fixed, section, 'P', words.registration, x, IDENTITY.label, label),
    );
  }
  return cut;
}

function entriesOf({ labels }: ReportDocument, driver: ReportDriver): readonly Entry[] {
  const { employeeName, employeeCode, mobileId, vehicle } = driver;
  const code = { size: 9.5, weight: 'regular' } as const;
  return [
    { label: labels.driver, value: employeeName, x: 0, width: 142, size: 12, weight: 'bold' },
    { label: labels.employeeCode, value: employeeCode, x: 150, width: 66, ...code },
    {
      label: labels.vehicle,
      value: vehicle?.num ?? '',
      ...(vehicle !== undefined && { below: vehicle.name }),
      x: 224,
      width: 136,
      ...code,
      weight: 'bold',
    },
    { label: labels.mobile, value: mobileId, x: 368, width: 50, ...code },
  ];
}

/** @returns whether all of it is there */
function drawValue(
  { typesetter }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  { value, below, width, size, weight }: Entry,
  x: number,
): boolean {
  const text = cleanText(value) === '' ? NO_VALUE : value;
  const inSize = (of: number, maxLines: number): WrappedText =>
    wrapText(typesetter, text, { weight: of === size ? weight : 'regular', size: of, maxWidth: width, maxLines });
  const second = below === undefined || cleanText(below) === '' ? undefined : below;
  const tries = [
    { fitted: inSize(size, 1), size, weight, baseline: IDENTITY.value, lineHeight: LINES },
    ...(second === undefined
      ? [{ fitted: inSize(size, 2), size, weight, baseline: IDENTITY.first, lineHeight: LINES }]
      : []),
  ];
  const small = { size: SMALL.size, weight: 'regular', baseline: SMALL.first, lineHeight: SMALL.lineHeight } as const;
  const chosen = tries.find(({ fitted }) => !fitted.isCut) ?? {
    fitted: inSize(SMALL.size, second === undefined ? 2 : 1),
    ...small,
  };
  const { baseline, lineHeight } = chosen;
  const style = { size: chosen.size, weight: chosen.weight };
  paragraphOfLines(page, section, chosen.fitted.lines, { x, baseline, lineHeight }, style);
  if (second === undefined) return !chosen.fitted.isCut;
  const wrapping = { weight: 'regular', size: SMALL.size, maxWidth: width, maxLines: 1 } as const;
  const { lines, isCut } = wrapText(typesetter, second, wrapping);
  paragraphOfLines(page, section, lines, { x, baseline: IDENTITY.second - 1, lineHeight: SMALL.lineHeight }, small);
  return !chosen.fitted.isCut && !isCut;
}

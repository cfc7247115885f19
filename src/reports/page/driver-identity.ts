import type { ReportDriver } from '../model.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import type { TextStyle } from './canvas.js';
import { wrapText, type WrappedText, type Wrapping } from '../text/wrap-text.js';
import { IDENTITY } from './driver-layout.js';
import { paragraph, paragraphOfLines } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** Value of the strip: in one large line, or in two small ones. */
interface Entry {
  readonly label: string;
  readonly value: string;
  readonly x: number;
  readonly width: number;
  readonly size: number;
  readonly weight: Wrapping['weight'];
  /** Text below the value, which then has one line. */
  readonly below?: string;
  /** Allows two lines in its own size. */
  readonly wraps?: boolean;
}

/** Style of a value too long for its own size. */
const SMALL = { size: 7.5, first: 109, lineHeight: 9 } as const;
const REGISTRATION = { x: 424 } as const;

/** Returns the name of a driver in bookmarks and on continuation pages. */
export function subjectOf(driver: ReportDriver): string {
  return [driver.employeeCode, driver.employeeName].map(cleanText).filter(Boolean).join(' ') || NO_VALUE;
}

/** Draws driver and vehicle. @returns the cut texts, to be printed in full below */
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
    { label: labels.driver, value: employeeName, x: 0, width: 142, size: 12, weight: 'bold', wraps: true },
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

/** @returns true if complete */
function drawValue(
  { typesetter }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  { value, below = '', width, size, weight, wraps = false }: Entry,
  x: number,
): boolean {
  const text = cleanText(value) === '' ? NO_VALUE : value;
  const hasBelow = cleanText(below) !== '';
  const draw = (lines: readonly string[], baseline: number, style: TextStyle): void => {
    const lineHeight = style.size === SMALL.size ? SMALL.lineHeight : IDENTITY.second - IDENTITY.first;
    paragraphOfLines(page, section, lines, { x, baseline, lineHeight }, style);
  };
  const wrap = (content: string, style: Required<Pick<TextStyle, 'size' | 'weight'>>, maxLines: number): WrappedText =>
    wrapText(typesetter, content, { ...style, maxWidth: width, maxLines });
  const small = { size: SMALL.size, weight: 'regular' } as const;
  let chosen = wrap(text, { size, weight }, wraps ? 2 : 1);
  if (!chosen.isCut) {
    draw(chosen.lines, chosen.lines.length > 1 ? IDENTITY.first : IDENTITY.value, { size, weight });
  } else {
    chosen = wrap(text, small, hasBelow ? 1 : 2);
    draw(chosen.lines, SMALL.first, small);
  }
  if (!hasBelow) return !chosen.isCut;
  const second = wrap(below, small, 1);
  draw(second.lines, IDENTITY.second - 1, small);
  return !chosen.isCut && !second.isCut;
}

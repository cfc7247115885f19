import { dutyEnds, MINUTES_OF_DAY } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import { isUnfinished } from '../day/report-date.js';
import type { ReportDriver } from '../model.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { shownName, wrapText } from '../text/fit-text.js';
import type { FontWeight } from '../text/font-families.js';
import type { Typesetter } from '../text/typesetter.js';
import { DUTY_LINE, DUTY_STRIP, IDENTITY, TILES_TOP } from './driver-layout.js';
import { average, distanceOf, doubtMark, drivingText, hoursAndMinutes, idlingOf, speed } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawTiles, type Tile } from './tiles.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';

/** Value about driver or vehicle: in one large line, or in two small ones. */
interface Entry {
  readonly label: string;
  readonly value: string;
  readonly x: number;
  readonly width: number;
  readonly size: number;
  readonly weight: FontWeight;
  /** Text below the value, which has only one line then. */
  readonly below?: string;
  /** True if the value may take two lines in its own size. */
  readonly wraps?: boolean;
}

const SMALL = { size: 7.5, first: 109, lineHeight: 9 } as const;
const REGISTRATION = { x: 424 } as const;

/** Returns the name of a driver in bookmarks and on continuation pages. */
export function subjectOf({ employeeCode, employeeName }: ReportDriver): string {
  return cleanWords(employeeCode, employeeName) || NO_VALUE;
}

export function shownDriver({ employeeName, employeeCode, mobileId, vehicle }: ReportDriver): ReportDriver {
  return {
    employeeName: shownName(employeeName),
    employeeCode: shownName(employeeCode),
    mobileId: shownName(mobileId),
    vehicle: vehicle && { num: shownName(vehicle.num), name: shownName(vehicle.name) },
  };
}

export function cleanWords(...texts: readonly string[]): string {
  return texts.map(cleanText).filter(Boolean).join(' ');
}

/** Draws driver and vehicle. @returns the cut texts, to be printed in full below */
export function drawIdentity(report: ReportDocument, page: ReportPage, driver: ReportDriver): readonly string[] {
  const { labels, words, blocks } = report;
  const hasRegistration = blocks.length > 0;
  page.artwork('identity strip', (canvas) => {
    const hairline = { width: 0.4, colour: COLOURS.hairline };
    canvas.line([PAGE.left, IDENTITY.rule], [RIGHT_EDGE, IDENTITY.rule], hairline);
    if (!hasRegistration) return;
    const y = IDENTITY.second;
    canvas.line([PAGE.left + REGISTRATION.x, y], [RIGHT_EDGE, y], { width: 0.6, colour: COLOURS.muted });
  });
  const drawLabel = (label: string, x: number, width: number): void =>
    page.fixture(`identity ${label} at ${x}`, (fixed) =>
      fixed.paragraph(label, PAGE.left + x, IDENTITY.label, { size: 6.5, width }),
    );
  const cut: string[] = [];
  for (const entry of entriesOf(report, driver)) {
    drawLabel(entry.label, entry.x, entry.width);
    if (drawValue(page, entry)) continue;
    cut.push(labels.inFull(entry.label, cleanWords(entry.value, entry.below ?? '')));
  }
  if (hasRegistration) drawLabel(words.registration, REGISTRATION.x, CONTENT_WIDTH - REGISTRATION.x);
  return cut;
}

function entriesOf({ labels }: ReportDocument, driver: ReportDriver): readonly Entry[] {
  const { employeeName, employeeCode, mobileId, vehicle } = driver;
  const { num = '', name = '' } = vehicle ?? {};
  const code = { size: 9.5, weight: 'regular' } as const;
  return [
    { label: labels.driver, value: employeeName, x: 0, width: 142, size: 12, weight: 'bold', wraps: true },
    { label: labels.employeeCode, value: employeeCode, x: 150, width: 66, ...code },
    { label: labels.vehicle, value: num, below: name, x: 224, width: 136, size: 9.5, weight: 'bold' },
    { label: labels.mobile, value: mobileId, x: 368, width: 50, ...code },
  ];
}

interface TwoLines {
  readonly size: number;
  readonly first: number;
  readonly lineHeight: number;
}

/** Returns the usual places of two lines or, for letters with marks, the size at which they fit, and its places. */
function inTwoLines(typesetter: Typesetter, text: string, usual: TwoLines): TwoLines {
  const { above, below } = typesetter.heights(text, 1) ?? { above: 0, below: 0 };
  if (above === 0) return usual;
  const [top, bottom] = [IDENTITY.label + 2, IDENTITY.rule];
  const size = Math.min(usual.size, Math.floor(((bottom - top) / 2 / (above + below)) * 4) / 4);
  return { size, first: top + size * above, lineHeight: size * (above + below) };
}

/** @returns true if the whole value is printed */
function drawValue(page: ReportPage, { value, below = '', x, width, size, weight, wraps = false }: Entry): boolean {
  const { typesetter } = page.canvas;
  const draw = (content: string, place: TwoLines, maxLines: number, style: FontWeight, isLast = true): boolean => {
    const { lines, isCut } = wrapText(typesetter, content, style, place.size, width, maxLines);
    if (isCut && !isLast) return false;
    const { first: baseline, lineHeight } = place;
    page.lines(lines, { x: PAGE.left + x, baseline, lineHeight }, { size: place.size, weight: style });
    return !isCut;
  };
  const text = cleanText(value) === '' ? NO_VALUE : value;
  const hasBelow = cleanText(below) !== '';
  const inOwnSize = (): boolean => {
    if (draw(text, { size, first: IDENTITY.value, lineHeight: 0 }, 1, weight, false)) return true;
    const usual = { size, first: IDENTITY.first, lineHeight: IDENTITY.second - IDENTITY.first };
    return wraps && draw(text, inTwoLines(typesetter, text, usual), 2, weight, false);
  };
  const second = { size: SMALL.size, first: IDENTITY.second - 1, lineHeight: 0 };
  const marked = hasBelow ? inTwoLines(typesetter, text + below, second) : second;
  if (marked !== second) {
    const isWhole = draw(text, marked, 1, weight);
    return draw(below, { ...marked, first: marked.first + marked.lineHeight }, 1, 'regular') && isWhole;
  }
  const isWhole =
    inOwnSize() || draw(text, hasBelow ? SMALL : inTwoLines(typesetter, text, SMALL), hasBelow ? 1 : 2, 'regular');
  if (!hasBelow) return isWhole;
  return draw(below, second, 1, 'regular') && isWhole;
}

export function drawDayFigures({ labels, day }: ReportDocument, page: ReportPage, { totals }: DriverDay): void {
  const unit = labels.hoursAndMinutes;
  const lasting = (label: string, minutes: number, value = hoursAndMinutes(minutes)): Tile => ({
    label,
    value,
    unit,
    isWarning: minutes > MINUTES_OF_DAY,
  });
  const atMost = (minutes: number): string => `${totals.hasBriefEnd ? '≤' : ''}${hoursAndMinutes(minutes)}`;
  const top = speed(totals.top?.kmh ?? null) + doubtMark(totals.lacking.doubtfulTops);
  const tiles: readonly Tile[] = [
    { label: labels.distance, value: distanceOf(totals), unit: 'km' },
    lasting(isUnfinished(day) ? labels.dutySoFar : labels.dutySpan, totals.dutyMinutes, atMost(totals.dutyMinutes)),
    lasting(labels.driving, totals.drivingMinutes, drivingText(totals)),
    lasting(labels.idling, totals.idleMinutes, idlingOf(totals)),
    lasting(labels.breaks, totals.breakMinutes, atMost(totals.breakMinutes)),
    { label: labels.average, value: average(totals.average), unit: 'km/h' },
    { label: labels.top, value: top, unit: 'km/h', isWarning: totals.tripsOverLimit > 0 },
  ];
  drawTiles(page, tiles, TILES_TOP);
}

const BRIEF_MARK = '¶';
const DUTY = { gap: 12, space: 4, maxLines: 2, size: 7.5 } as const;

/** Draws place and time of the day's first departure and last return. @returns the lines that they take */
export function drawDutyEnds(report: ReportDocument, page: ReportPage, { trips, totals }: DriverDay): number {
  const { labels, clock, typesetter } = report;
  const [first, last] = dutyEnds(trips);
  if (first === undefined || last === undefined) return 1;
  const { gap, space, maxLines, size } = DUTY;
  const lineHeight = DUTY_LINE;
  let height = lineHeight;
  const width = (CONTENT_WIDTH - gap) / 2;
  const draw = (label: string, minute: number | null, address: string | null, x: number): void => {
    if (minute === null) return;
    // Set separately from the address, so that both are found in the cache of texts.
    const when = `${label}${totals.hasBriefEnd ? BRIEF_MARK : ''} ${clock.timeOfMinute(minute, labels.shortDate)}`;
    page.lines([when], { x, baseline: DUTY_STRIP, lineHeight }, { size, weight: 'bold' });
    const indent = typesetter.width(when, 'bold', size) + space;
    const place = address ?? NO_VALUE;
    const { lines } = wrapText(typesetter, place, 'regular', size, width - indent, maxLines);
    const distance = typesetter.lineHeight(place, size, lineHeight);
    page.lines(lines, { x: x + indent, baseline: DUTY_STRIP, lineHeight: distance }, { size });
    height = Math.max(height, lines.length * distance);
  };
  draw(labels.departure, first.start, first.startAddress, PAGE.left);
  draw(isUnfinished(report.day) ? labels.lastStop : labels.return, last.end, last.endAddress, PAGE.left + width + gap);
  return height / lineHeight;
}

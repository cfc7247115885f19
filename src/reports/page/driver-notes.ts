import { type DayTrip, DOUBTS, isCounted } from '../day/day-trip.js';
import { MINUTES_OF_DAY } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { RuledFigure } from '../day/driving-rules.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { wrapText } from '../text/fit-text.js';
import type { FontWeight } from '../text/font-families.js';
import type { CountedPage, ReportDriver } from '../model.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE } from './theme.js';
import { wrappedAddress } from './day-rows.js';

export interface Note {
  readonly lines: readonly string[];
  readonly lineHeight: number;
  readonly isWarning: boolean;
}

export interface PageNotes {
  readonly driver: ReportDriver;
  readonly cut: readonly string[];
  readonly addressesMissing: boolean;
  readonly isShared: boolean;
  /** Page on which the vehicle counts, if not here. */
  readonly counted: CountedPage | undefined;
  readonly weighed: WeighedPerson | undefined;
}

const NOTE = { size: 7, lineHeight: 8.2, maxLines: 20 } as const;
export const NOTES_ABOVE = 3;

/** Returns the meanings of the marks on the page, the data left out of it, and the data that it lacks. */
export function marksOf(
  report: ReportDocument,
  { trips, totals, leftOut }: DriverDay,
  { driver, addressesMissing, isShared, counted }: PageNotes,
): readonly Note[] {
  const { labels } = report;
  const notes: string[] = [];
  const over = trips.filter(({ isOverLimit }) => isOverLimit);
  if (over.length > 0) {
    const uncounted = over.filter((trip) => !isCounted(trip)).length;
    const { speedLimitKmh, overLimitMinSeconds } = report.options;
    notes.push(labels.overLimitNote(speedLimitKmh, overLimitMinSeconds, totals.overLimit, uncounted));
  }
  const [distances, idlings] = (['hectometers', 'idleMinutes'] as const).map((figure) =>
    numbersOf(trips, (trip) => isCounted(trip) && trip[figure] === null),
  );
  if (distances || idlings) notes.push(labels.lacking(distances ?? '', idlings ?? ''));
  const unsupported = Object.values(DOUBTS).map((figures) =>
    trips.flatMap((trip, index) =>
      trip.unsupported.flatMap((each) =>
        figures.includes(each.figure) ? labels.unsupported(index + 1, each, trip) : [],
      ),
    ),
  );
  if (unsupported.flat().length > 0) notes.push(labels.unsupportedBy(unsupported.filter(({ length }) => length > 0)));
  const brief = numbersOf(trips, (trip) => isCounted(trip) && trip.isBrief);
  if (totals.hasBriefEnd) notes.push(labels.brief(brief));
  if (trips.some(({ top }) => top?.source === 'reported')) notes.push(labels.topReported);
  if (trips.some(({ top }) => top?.source === 'track')) notes.push(labels.topOfTrack);
  if (totals.dutyMinutes > MINUTES_OF_DAY) notes.push(labels.beyondDay);
  if (leftOut.total > 0) notes.push(labels.leftOut(leftOut));
  notes.push(...standInNote(report, [driver], 'bold'));
  const warnings: string[] = [];
  if (report.notOver !== '') warnings.push(report.notOver);
  if (addressesMissing) warnings.push(labels.addressesMissing);
  if (isShared) warnings.push(labels.shared);
  if (counted?.isSame === false) warnings.push(labels.countedBefore(counted));
  if (totals.unrecordedMinutes > 0) warnings.push(labels.unrecorded(totals.unrecordedMinutes));
  return [...linesOfNotes(report, warnings, true), ...linesOfNotes(report, notes)];
}

/** Returns the note on letters printed as 〓, if any, and on people in whose names, set in a weight, they are. */
export function standInNote(
  { labels, typesetter }: ReportDocument,
  drivers: readonly Pick<ReportDriver, 'employeeCode' | 'employeeName'>[],
  weight: FontWeight,
): readonly string[] {
  if (!typesetter.takeStandIn()) return [];
  const codes = drivers.flatMap(({ employeeCode, employeeName }) =>
    typesetter.set(employeeName, weight).usesStandIn ? [cleanText(employeeCode) || NO_VALUE] : [],
  );
  return [labels.standIn(codes)];
}

/** Returns the numbers of the trips with a property, as `2, 5–9`. @param first number of the first one, from 0 */
export function numbersOf(trips: readonly DayTrip[], has: (trip: DayTrip) => boolean, first = 0): string {
  const runs: [from: number, to: number][] = [];
  trips.forEach((trip, index) => {
    if (!has(trip)) return;
    const last = runs.at(-1);
    const number = first + index + 1;
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  });
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

/** Returns the comparison of the person with the driving time rules, in facts and marks; empty without rules. */
export function notesOfRules(report: ReportDocument, weighed: WeighedPerson | undefined): readonly Note[] {
  if (weighed === undefined) return [];
  const { labels, clock } = report;
  const { rules, gapBefore, otherMobiles, isNoPerson, isBeforeKnown, isNoneBefore, otherUnknown, overlap } = weighed;
  const timeOf = (minute: number): string => clock.timeOfMinute(minute, labels.shortDate);
  const figures = weighed.figures.flatMap((figure) =>
    linesOfNotes(report, [`${figure.mark} ${ruledText(report, figure, weighed)}`.trim()], figure.mark !== ''),
  );
  const facts = [
    ...(isNoneBefore ? [labels.noneBefore] : []),
    ...(gapBefore === undefined ? [] : [labels.gapBefore(gapBefore, timeOf(gapBefore.to))]),
    ...(otherMobiles.length === 0 ? [] : [labels.otherMobiles(otherMobiles.map(cleanText))]),
    ...(otherUnknown.length === 0 ? [] : [labels.otherUnknown(otherUnknown.map(cleanText))]),
    ...(overlap === undefined ? [] : [labels.overlap(timeOf(overlap))]),
    ...(isNoPerson ? [labels.noPerson] : []),
    ...(isBeforeKnown ? [] : [labels.beforeUnknown]),
    labels.rulesExplained(rules, report.blocks.includes('remarks')),
  ];
  return [
    ...linesOfNotes(report, [labels.rules[rules]]),
    ...figures,
    ...linesOfNotes(report, [facts.join(labels.gapOfSentences)]),
  ];
}

export function ruledText({ labels, clock }: ReportDocument, figure: RuledFigure, { way }: WeighedPerson): string {
  const [from, to] = [figure.from, figure.to].map((minute) => clock.timeOfMinute(minute, labels.shortDate));
  return labels.ruled(figure, `${from}–${to}`, way);
}

/** Returns the addresses cut in the trip table, each once with its trips. */
export function cutAddresses(report: ReportDocument, trips: DriverDay['trips']): readonly string[] {
  const numbers = new Map<string, Set<number>>();
  trips.forEach(({ startAddress, endAddress }, index) => {
    for (const address of [startAddress, endAddress]) {
      if (address === null || !wrappedAddress(report, address).isCut) continue;
      numbers.set(address, (numbers.get(address) ?? new Set()).add(index + 1));
    }
  });
  const { labels } = report;
  return [...numbers].map(([address, of]) =>
    labels.inFull(`${labels.number} ${[...of].join(', ')}`, cleanText(address)),
  );
}

export function linesOfNotes({ typesetter }: ReportDocument, texts: readonly string[], isWarning = false): Note[] {
  const { size, maxLines } = NOTE;
  const weight = isWarning ? 'bold' : 'regular';
  return texts.map((text) => {
    const { lines } = wrapText(typesetter, text, weight, size, CONTENT_WIDTH, maxLines);
    return { lines, lineHeight: typesetter.lineHeight(text, size, NOTE.lineHeight), isWarning };
  });
}

/** Returns the total height of notes, the space above them included. */
export function notesHeight(notes: readonly Note[]): number {
  const height = notes.reduce((sum, { lines, lineHeight }) => sum + lines.length * lineHeight, 0);
  return height === 0 ? 0 : NOTES_ABOVE + height;
}

/** Draws notes from `top` downwards. @returns y position of their end */
export function drawNotes(page: ReportPage, notes: readonly Note[], top: number): number {
  const { size } = NOTE;
  let y = top + NOTES_ABOVE;
  for (const { lines, lineHeight, isWarning } of notes) {
    const style = isWarning ? ({ size, weight: 'bold', colour: COLOURS.red } as const) : { size };
    page.lines(lines, { x: PAGE.left, baseline: y + 7 + lineHeight - NOTE.lineHeight, lineHeight }, style);
    y += lines.length * lineHeight;
  }
  return notes.length === 0 ? top : y;
}

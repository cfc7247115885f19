import { isCounted } from '../day/day-trip.js';
import { MINUTES_OF_DAY, type DayTotals } from '../day/day-totals.js';
import type { DriverDay } from '../day/driver-day.js';
import type { StructureElement } from '../pdf/structure.js';
import { NO_VALUE } from '../text/clean-text.js';
import { wrapText } from '../text/wrap-text.js';
import { DUTY_STRIP, TILES_TOP } from './driver-layout.js';
import { average, hoursAndMinutes, kilometers, speed } from './number-format.js';
import { paragraphOfLines } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawTiles, type Tile } from './tiles.js';
import { CONTENT_WIDTH, PAGE } from './theme.js';

const DUTY = { gap: 12, space: 4, lineHeight: 9, maxLines: 2, size: 7.5 } as const;

/** Draws the figures of the day. */
export function drawDayFigures(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  { totals }: DriverDay,
): void {
  drawTiles(page, section, tilesOf(report, totals), TILES_TOP);
}

function tilesOf({ labels }: ReportDocument, totals: DayTotals): readonly Tile[] {
  const unit = labels.hoursAndMinutes;
  const lasting = (label: string, minutes: number): Tile => ({
    label,
    value: hoursAndMinutes(minutes),
    unit,
    isWarning: minutes > MINUTES_OF_DAY,
  });
  return [
    { label: labels.distance, value: kilometers(totals.hectometers), unit: 'km' },
    lasting(labels.dutySpan, totals.dutyMinutes),
    lasting(labels.driving, totals.drivingMinutes),
    lasting(labels.idling, totals.idleMinutes),
    lasting(labels.breaks, totals.breakMinutes),
    { label: labels.average, value: average(totals.average), unit: 'km/h' },
    { label: labels.top, value: speed(totals.top?.kmh ?? null), unit: 'km/h', isWarning: totals.tripsOverLimit > 0 },
  ];
}

/** Draws place and time of the day's first departure and last return. */
export function drawDutyEnds(
  { labels, clock, typesetter }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  day: DriverDay,
): void {
  const counted = day.trips.filter(isCounted);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return;
  const maxWidth = (CONTENT_WIDTH - DUTY.gap) / 2;
  const end = (label: string, minute: number | null, address: string | null, x: number): void => {
    if (minute === null) return;
    const epoch = minute * 60_000;
    const date = clock.isOfDay(epoch) ? [] : [labels.shortDate(clock.date(epoch))];
    // Set separately: few words, which are cached from other pages, as addresses are.
    const when = [label, ...date, clock.timeOfMinute(minute)].join(' ');
    const { maxLines, size, lineHeight, space } = DUTY;
    paragraphOfLines(page, section, [when], { x, baseline: DUTY_STRIP, lineHeight }, { size, weight: 'bold' });
    const indent = typesetter.width(when, 'bold', size) + space;
    const wrapping = { weight: 'regular', size, maxWidth: maxWidth - indent, maxLines } as const;
    const { lines } = wrapText(typesetter, address ?? NO_VALUE, wrapping);
    paragraphOfLines(page, section, lines, { x: x + indent, baseline: DUTY_STRIP, lineHeight }, { size });
  };
  end(labels.departure, first.start, first.startAddress, PAGE.left);
  end(labels.return, last.end, last.endAddress, PAGE.left + maxWidth + DUTY.gap);
}

import { isCounted, isDrawn } from '../day/day-trip.js';
import type { DriverDay } from '../day/driver-day.js';
import { HALT, STAND } from '../day/standing.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import { type Canvas, lineFrom, type Point, type Rectangle } from './canvas.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { ticksAround } from './speed-chart.js';
import { COLOURS, CONTENT_WIDTH, PAGE } from './theme.js';

const MINUTE = 60_000;
const HOURS = 6 * 60 * MINUTE;
/** Heights in points from the top of the band, and widths of what explains it. */
const BAND = { height: 10, beyond: -2.2, labels: 17.5, sample: 12, gap: 3, hatch: 3 } as const;
const LABEL = { size: 6.5 } as const;

/** Use of a time: each has a shape of its own, because colours are not enough on a grey printer. */
type Kind = 'driving' | 'standing' | 'break' | 'unrecorded';
/** Times in epoch milliseconds. */
interface Span {
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
}

/** Draws the 24 hours of a day: driving, standing in trips, breaks, gaps, and above them what is marked with ▲. */
export function drawDayBand(
  report: ReportDocument,
  page: ReportPage,
  day: DriverDay,
  top: number,
  weighed: WeighedPerson | undefined,
): void {
  const { labels, clock } = report;
  const [from, to] = clock.midnights;
  const ticks = ticksAround(from, to, HOURS, clock);
  const xOf = (time: number): number =>
    PAGE.left + (Math.min(Math.max(time, from), to) - from) * (CONTENT_WIDTH / (to - from));
  const kinds: readonly (readonly [Kind, string])[] = [
    ['driving', labels.driving],
    ['standing', labels.standing],
    ['break', labels.breaks],
    ['unrecorded', labels.noRecord],
  ];
  page.fixture(
    `hours of ${ticks.length}`,
    (fixed, y) => {
      const { canvas } = fixed;
      canvas.strokeRectangle(
        { x: PAGE.left, y, width: CONTENT_WIDTH, height: BAND.height },
        { width: 0.4, colour: COLOURS.muted },
      );
      ticks.forEach((tick, index) => {
        const x = xOf(tick);
        const align = index === 0 ? 'left' : tick >= to ? 'right' : 'centre';
        const left = align === 'left' ? x : align === 'right' ? x - 40 : x - 20;
        canvas.text(tick >= to ? '24:00' : clock.time(tick), left, y + BAND.labels, { ...LABEL, align, width: 40 });
        const [kind, name] = kinds[index] ?? [];
        const until = ticks[index + 1];
        if (kind === undefined || name === undefined || until === undefined) return;
        const width = BAND.sample + BAND.gap + canvas.typesetter.width(name, 'regular', LABEL.size);
        const begin = (x + xOf(until) - width) / 2;
        const sample = { x: begin, y: y + BAND.labels - 5.5, width: BAND.sample, height: 6 };
        canvas.strokeRectangle(sample, { width: 0.4, colour: COLOURS.muted });
        drawKind(canvas, kind, [sample]);
        canvas.text(name, begin + BAND.sample + BAND.gap, y + BAND.labels, LABEL);
      });
    },
    top,
  );
  const spans = spansOf(day).filter((span) => span.to > from && span.from < to);
  const beyond = (weighed?.figures ?? []).filter(({ mark, to: end }) => mark === '▲' && end > 0);
  const draw = (): void => {
    const { canvas } = page;
    for (const [kind] of kinds) {
      const areas = spans.filter((span) => span.kind === kind);
      const boxOf = (span: Span): Rectangle => {
        const x = xOf(span.from);
        return { x, y: top, width: xOf(span.to) - x, height: BAND.height };
      };
      drawKind(canvas, kind, areas.map(boxOf));
    }
    const y = top + BAND.beyond;
    for (const figure of beyond) {
      const [begin, end] = [figure.from, figure.to].map((minute) => xOf(minute * MINUTE));
      if (begin === undefined || end === undefined) return;
      canvas.line([begin, y], [end, y], { width: 1.8, colour: COLOURS.red });
      canvas.fillPolygons([lineFrom((begin + end) / 2, y, [-3, 1], [3, 1], [0, -4.5])], COLOURS.red);
    }
  };
  const alternative = (): string => {
    const minutesOf = (kind: Kind): number =>
      spans.reduce((sum, span) => sum + (span.kind === kind ? Math.round((span.to - span.from) / MINUTE) : 0), 0);
    const marked = beyond.map((figure) =>
      [figure.from, figure.to].map((at) => clock.timeOfMinute(at, labels.shortDate)).join('–'),
    );
    return labels.bandAlternative(day.totals, [minutesOf('standing'), minutesOf('unrecorded')], marked);
  };
  page.figure(draw, alternative);
}

/** Returns the parts of a day; later ones lie above earlier ones. */
function spansOf({ trips, breaks }: DriverDay): readonly Span[] {
  return [
    ...breaks.map(({ from, to, gap }): Span => {
      return { kind: gap === undefined ? 'break' : 'unrecorded', from: from * MINUTE, to: to * MINUTE };
    }),
    ...trips.flatMap((trip): readonly Span[] => {
      const { start, end, verdict, stands } = trip;
      if (start === null || end === null || !isDrawn(trip)) return [];
      const kind = isCounted(trip) || verdict.kind === 'carried over' ? 'driving' : 'unrecorded';
      const parts: Span[] = [];
      let from = start * MINUTE;
      for (const stand of stands) {
        parts.push({ kind, from, to: stand.from });
        const isStand = stand.state === HALT || stand.state === STAND;
        parts.push({ kind: isStand ? 'standing' : 'unrecorded', from: stand.from, to: stand.to });
        from = stand.to;
      }
      return [...parts, { kind, from, to: Math.max(from, end * MINUTE) }];
    }),
  ];
}

/** Draws areas of a kind: full, its lower third, a line in the middle, or hatched. */
function drawKind(canvas: Canvas, kind: Kind, areas: readonly Rectangle[]): void {
  if (kind === 'driving') canvas.fillRectangles(areas, COLOURS.navy);
  else if (kind === 'standing') {
    const low = areas.map(({ x, y, width, height }) => ({ x, y: y + height * 0.6, width, height: height * 0.4 }));
    canvas.fillRectangles(low, COLOURS.blue);
  } else {
    const lines = areas.flatMap(({ x, y, width, height }): readonly (readonly Point[])[] => {
      const middle = y + height / 2;
      if (kind === 'break') return [lineFrom(x, middle, [0, 0], [width, 0])];
      const steps = Math.ceil(width / BAND.hatch);
      return Array.from({ length: steps }, (_, step) => {
        const left = x + (step * width) / steps;
        return lineFrom(left, y + height, [0, 0], [Math.min(BAND.hatch, x + width - left), -height]);
      });
    });
    canvas.polylines(lines, { width: 0.5, colour: COLOURS.muted });
  }
}

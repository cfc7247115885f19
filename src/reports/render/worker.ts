import { threadId, type MessagePort } from 'node:worker_threads';
import { driverDay, possibleEnds, type ReadTrips, readTrips } from '../day/driver-day.js';
import { drivingDay } from '../day/report-date.js';
import { type FailedDay, type ReportedTrip, type ReportOptions, withLists } from '../model.js';
import { type DayToDraw, limitOf } from '../page/driver-section.js';
import { FontLibrary } from '../text/font-library.js';
import { drawReport } from './draw-report.js';
import {
  Credits,
  Inbox,
  tableBlock,
  MAX_CHUNKS_AHEAD,
  MAX_DRIVERS_AHEAD,
  type FromDrawing,
  type RenderTask,
  type SentDay,
  type ToDrawing,
} from './protocol.js';
import { turnsOf } from './turns.js';

/** Fonts, parsed once for all reports of a drawing thread. */
const fonts = new FontLibrary();
/** Turns of the reports of this thread. Drawing never waits within a turn; messages are received between turns. */
const takeTurn = turnsOf();

/** Draws one report. Sends the end and every failure through the port. */
export async function drawTask(task: RenderTask): Promise<void> {
  try {
    await draw(task);
  } catch (error) {
    tell(task.port, { kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    task.port.close();
  }
}

function tell(port: MessagePort, message: FromDrawing, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function draw({ port, report, maxTaggedPages }: RenderTask): Promise<void> {
  const over = new AbortController();
  const drivers = new Inbox<Extract<ToDrawing, { kind: 'driver' | 'drivers ended' }>>(over.signal);
  const lists = arrivedLists(report);
  const chunks = new Credits(over.signal);
  chunks.add(MAX_CHUNKS_AHEAD);
  const time = workingTime();
  const turn = (): Promise<void> => takeTurn(report.org ?? '');
  const cancel = (): void => over.abort(new Error('the report was cancelled'));
  const answer = async (list: number): Promise<void> => {
    await turn();
    const read = time.workingBeside(() => lists.read(list));
    tell(port, { kind: 'ends', list, ends: possibleEnds(read) });
  };
  port.on('message', (message: ToDrawing) => {
    if (message.kind === 'take') chunks.add(1);
    else if (message.kind === 'cancel') cancel();
    else if (message.kind !== 'trips') drivers.put(message);
    else {
      const { list, trips, asks } = message;
      lists.add(list, trips);
      // A failure costs this report; thrown from here it would end the thread with all its reports.
      if (asks) answer(list).catch((error: unknown) => over.abort(error));
    }
  });
  port.on('close', cancel);
  tell(port, { kind: 'begun', threadId });
  tell(port, { kind: 'want', drivers: MAX_DRIVERS_AHEAD });
  const arriving = async function* (): AsyncGenerator<DayToDraw | FailedDay> {
    for (;;) {
      const arrival = await time.waiting(drivers.take());
      if (arrival.kind === 'drivers ended') return;
      tell(port, { kind: 'want', drivers: 1 });
      await time.waiting(turn());
      yield arrival.outcome.kind === 'day' ? lists.dayOf(arrival.outcome) : arrival.outcome;
    }
  };
  const betweenPages = (): Promise<void> => time.waiting(turn());
  let table = '';
  const onTable = (text: string): void => void (table += text);
  const drawing = drawReport(report, arriving(), { fonts, maxTaggedPages, compress: true, betweenPages, onTable });
  let step = await drawing.next();
  while (step.done !== true) {
    await time.waiting(chunks.take());
    const bytes = step.value;
    // Chunks own their memory, so it can move to the other thread instead of being copied.
    const message = { kind: 'chunk', bytes, table: tableBlock(table) } as const;
    table = '';
    tell(port, message, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
    step = await drawing.next();
  }
  tell(port, { kind: 'drawn', ...step.value, drawingMs: time.milliseconds() });
}

/** Keeps the lists of trips that have come and are not drawn yet, by number. */
function arrivedLists(options: ReportOptions) {
  const trips = new Map<number, readonly ReportedTrip[]>();
  const reads = new Map<number, ReadTrips>();
  const day = drivingDay(options.date, options.timeZone, options.fetchedAt);
  const limit = limitOf(options);
  const taken = (list: number): readonly ReportedTrip[] => {
    const found = trips.get(list) ?? [];
    trips.delete(list);
    return found;
  };
  /** Reads the tracks of a list of the day, at the first call only. */
  const read = (list: number): ReadTrips => {
    const known = reads.get(list) ?? readTrips(taken(list), day, limit);
    reads.set(list, known);
    return known;
  };
  return {
    add: (list: number, more: readonly ReportedTrip[]) => trips.set(list, [...(trips.get(list) ?? []), ...more]),
    read,
    /** Returns a day to draw, and forgets its lists. */
    dayOf({ list, addresses, weighed, ...facts }: SentDay): DayToDraw {
      const drawn = driverDay(read(list), addresses, day);
      reads.delete(list);
      return { ...facts, day: drawn, weighed: withLists(weighed, taken) };
    },
  };
}

/** Makes a stopwatch of working time without waiting, which begins with work. */
function workingTime() {
  const begin = performance.now();
  let waitedMs = 0;
  return {
    /** Awaits a promise without counting the time. */
    waiting<T>(promise: Promise<T>): Promise<T> {
      const since = performance.now();
      return promise.finally(() => (waitedMs += performance.now() - since));
    },
    /** Does work during the wait for a promise. */
    workingBeside<T>(work: () => T): T {
      const since = performance.now();
      const done = work();
      waitedMs -= performance.now() - since;
      return done;
    },
    /** Returns the working time so far, in milliseconds; call it only while working. */
    milliseconds: () => performance.now() - begin - waitedMs,
  };
}

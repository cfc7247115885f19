import { threadId, type MessagePort } from 'node:worker_threads';
import { possibleEnds } from '../day/driver-day.js';
import { drivingDay } from '../day/report-date.js';
import { type DriverOutcome, type ReportedTrip, withLists } from '../model.js';
import { FontLibrary } from '../text/font-library.js';
import { drawReport } from './draw-report.js';
import {
  Credits,
  Inbox,
  MAX_CHUNKS_AHEAD,
  MAX_DRIVERS_AHEAD,
  type FromDrawing,
  type RenderTask,
  type ToDrawing,
} from './protocol.js';
import { Turns } from './turns.js';

/** Fonts, parsed once for all reports of a drawing thread. */
const fonts = new FontLibrary();
/** Turns of the reports of this thread. Drawing never waits within a turn; messages are received between turns. */
const turns = new Turns();

type Arrival = Extract<ToDrawing, { kind: 'driver' | 'drivers ended' }>;
/** Trips of the days that have come and are not drawn yet, by number. */
type Days = Map<number, readonly ReportedTrip[]>;

/** Draws one report. Sends the end and every failure through the port. */
export async function runTask(task: RenderTask): Promise<void> {
  try {
    await draw(task);
  } catch (error) {
    tellerOf(task.port)({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    task.port.close();
  }
}

type Tell = (message: FromDrawing, transfer?: ArrayBuffer[]) => void;

function tellerOf(port: MessagePort): Tell {
  return (message, transfer = []) => port.postMessage(message, transfer);
}

async function draw({ port, report, maxTaggedPages }: RenderTask): Promise<void> {
  const tell = tellerOf(port);
  const drivers = new Inbox<Arrival>();
  const days: Days = new Map();
  const chunks = new Credits();
  chunks.add(MAX_CHUNKS_AHEAD);
  const cancel = (): void => {
    const reason = new Error('the report was cancelled');
    drivers.fail(reason);
    chunks.fail(reason);
  };
  port.on('message', (message: ToDrawing) => {
    if (message.kind === 'take') chunks.add(1);
    else if (message.kind === 'cancel') cancel();
    else if (message.kind === 'trips') {
      const trips = [...(days.get(message.day) ?? []), ...message.trips];
      days.set(message.day, trips);
      try {
        if (message.asks) tell({ kind: 'ends', day: message.day, ends: possibleEnds(trips, day) });
      } catch (error) {
        // Costs this report; thrown from here it would end the thread with all its reports.
        drivers.fail(error);
      }
    } else drivers.put(message);
  });
  port.on('close', cancel);
  const day = drivingDay(report.date, report.timeZone);
  tell({ kind: 'begun', threadId });
  tell({ kind: 'want', drivers: MAX_DRIVERS_AHEAD });
  const time = new WorkingTime();
  const turn = (): Promise<void> => time.waiting(turns.take(report.org ?? ''));
  const drawing = drawReport(report, arriving(drivers, days, tell, time), {
    fonts,
    maxTaggedPages,
    compress: true,
    turn,
  });
  let step = await drawing.next();
  while (step.done !== true) {
    await time.waiting(chunks.take());
    const bytes = step.value;
    // Chunks own their memory (see ByteChunks), so it can move to the other thread instead of being copied.
    tell({ kind: 'chunk', bytes }, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
    step = await drawing.next();
  }
  tell({ kind: 'drawn', ...step.value, drawingMs: time.milliseconds });
}

async function* arriving(
  drivers: Inbox<Arrival>,
  days: Days,
  tell: Tell,
  time: WorkingTime,
): AsyncGenerator<DriverOutcome> {
  for (;;) {
    const arrival = await time.waiting(drivers.take());
    if (arrival.kind === 'drivers ended') return;
    const { outcome, day, lists, addresses } = arrival;
    const taken = (number: number): readonly ReportedTrip[] => {
      const trips = days.get(number) ?? [];
      days.delete(number);
      return trips;
    };
    const sent = taken(day);
    tell({ kind: 'want', drivers: 1 });
    const trips = addresses.flatMap((both, index) =>
      sent.slice(index, index + 1).map((trip) => ({ ...trip, ...both })),
    );
    if (outcome.kind !== 'day') {
      yield outcome;
      continue;
    }
    const left = [...lists];
    const weighed = outcome.weighed && withLists(outcome.weighed, () => taken(left.shift() ?? 0));
    yield { ...outcome, trips, ...(weighed && { weighed }) };
  }
}

/** Stopwatch of working time without waiting. It begins with work. */
class WorkingTime {
  #workedMs = 0;
  #since = performance.now();

  /** Awaits a promise without counting the time. */
  async waiting<T>(promise: Promise<T>): Promise<T> {
    this.#workedMs += performance.now() - this.#since;
    try {
      return await promise;
    } finally {
      this.#since = performance.now();
    }
  }

  /** Working time so far, in milliseconds; read it only while working. */
  get milliseconds(): number {
    return this.#workedMs + performance.now() - this.#since;
  }
}

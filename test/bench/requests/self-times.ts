/** What is read of a V8 CPU profile. Times in microseconds. */
export interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Time of a function itself, without those it calls. */
export interface SelfTime {
  readonly where: string;
  readonly micros: number;
  /** Of the time that was not idle, 0 to 1. */
  readonly share: number;
}

/** Self times within a span of the profile's clock, largest first; idle time is left out. */
export function selfTimes(profile: CpuProfile, span: { readonly from: number; readonly to: number }): SelfTime[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, describe(callFrame)]));
  const times = new Map<string, number>();
  let clock = profile.startTime;
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    clock += delta;
    const where = names.get(id) ?? '?';
    if (clock < span.from || clock > span.to || where === '(idle)') continue;
    busy += delta;
    times.set(where, (times.get(where) ?? 0) + delta);
  }
  return [...times]
    .map(([where, micros]) => ({ where, micros, share: micros / busy }))
    .sort((a, b) => b.micros - a.micros);
}

function describe({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/dist\//, 'dist/');
  const name = functionName === '' ? '(anonymous)' : functionName;
  return place === '' ? name : `${name}  ${place}:${lineNumber + 1}`;
}

/** A person of a request, with the mobiles whose trips are weighed together. */
export interface Person {
  /** Mobiles of the person; the first is that of the driver. */
  readonly mobileIds: readonly string[];
  /** True if the employee code is on too many mobiles to be one person. */
  readonly isNoPerson: boolean;
}

/** Driver of a request. */
export interface NamedDriver {
  readonly mobileId: string;
  readonly employeeCode: string;
  readonly employeeName: string;
}

/** An employee code on more mobiles is a placeholder, and no person. */
const MAX_MOBILES = 8;

export type Persons = ReturnType<typeof findPersons>;

/** Finds who drives what in a request: people with several mobiles, and mobiles with several people. */
export function findPersons(drivers: readonly NamedDriver[]) {
  const mobilesOf = new Map<string, Set<string>>();
  const peopleOf = new Map<string, Set<string>>();
  for (const { mobileId, employeeCode, employeeName } of drivers) {
    const code = employeeCode.trim();
    if (code !== '') add(mobilesOf, code, mobileId);
    add(peopleOf, mobileId, code === '' ? `name ${employeeName.trim()}` : `code ${code}`);
  }
  return {
    /** True if several people are named with a mobile. */
    isShared: (mobileId: string): boolean => (peopleOf.get(mobileId)?.size ?? 0) > 1,
    /** Returns the person of a driver. An empty employee code joins nobody. */
    of({ mobileId, employeeCode }: NamedDriver): Person {
      const mobiles = mobilesOf.get(employeeCode.trim()) ?? new Set();
      const isNoPerson = mobiles.size > MAX_MOBILES;
      return { mobileIds: isNoPerson ? [mobileId] : [...new Set([mobileId, ...mobiles])], isNoPerson };
    },
  };
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

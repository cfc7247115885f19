import type { ReportDriver } from '../../../reports/model.js';

/** A person of a request, with the mobiles whose trips are weighed together. */
export interface Person {
  /** Mobiles of the person; the first is that of the driver. */
  readonly mobileIds: readonly string[];
  /** True if the employee code is on too many mobiles to be one person. */
  readonly isNoPerson: boolean;
}

/** An employee code on more mobiles is a placeholder, and no person. */
const MAX_MOBILES = 8;

export type Persons = ReturnType<typeof findPersons>;

/** Finds who drives what in a request: people with several mobiles, and mobiles with several people. */
export function findPersons(drivers: readonly ReportDriver[]) {
  const mobilesOf = new Map<string, Set<string>>();
  const peopleOf = new Map<string, Set<string>>();
  const add = (sets: Map<string, Set<string>>, key: string, value: string): void => {
    sets.set(key, (sets.get(key) ?? new Set()).add(value));
  };
  for (const { mobileId, employeeCode, employeeName } of drivers) {
    const code = employeeCode.trim();
    if (code !== '') add(mobilesOf, code, mobileId);
    add(peopleOf, mobileId, code === '' ? `name ${employeeName.trim()}` : `code ${code}`);
  }
  return {
    /** True if several people are named with a mobile. */
    isShared: (mobileId: string): boolean => (peopleOf.get(mobileId)?.size ?? 0) > 1,
    /** Returns the person of a driver. An empty employee code joins nobody. */
    of({ mobileId, employeeCode }: ReportDriver): Person {
      const mobiles = mobilesOf.get(employeeCode.trim()) ?? new Set();
      const isNoPerson = mobiles.size > MAX_MOBILES;
      return { mobileIds: isNoPerson ? [mobileId] : [...new Set([mobileId, ...mobiles])], isNoPerson };
    },
  };
}

import { personOf, type ReportDriver } from '../../../reports/model.js';

/** An employee code on more mobiles is a placeholder, and no person. */
const MAX_MOBILES = 8;

export type EmployeeMobiles = ReturnType<typeof findEmployeeMobiles>;

/** Finds who drives what in a request: people with several mobiles, and mobiles with several people. */
export function findEmployeeMobiles(drivers: readonly ReportDriver[]) {
  const mobilesOf = new Map<string, Set<string>>();
  const peopleOf = new Map<string, Set<string>>();
  for (const driver of drivers) {
    const code = driver.employeeCode.trim();
    if (code !== '') addTo(mobilesOf, code, driver.mobileId);
    addTo(peopleOf, driver.mobileId, personOf(driver));
  }
  // Kept while the report is drawn, and most sets have one element.
  for (const sets of [mobilesOf, peopleOf]) {
    for (const [key, { size }] of sets) if (size === 1) sets.delete(key);
  }
  return {
    /** True if several people are named with a mobile. */
    isShared: (mobileId: string): boolean => peopleOf.has(mobileId),
    /**
     * Returns the mobiles of the person of a driver, that of the driver first, whose trips are weighed together, and
     * whether the employee code is on too many to be one person. An empty employee code joins nobody.
     */
    of({ mobileId, employeeCode }: ReportDriver) {
      const mobiles = mobilesOf.get(employeeCode.trim()) ?? new Set();
      const isNoPerson = mobiles.size > MAX_MOBILES;
      return { mobileIds: isNoPerson ? [mobileId] : [...new Set([mobileId, ...mobiles])], isNoPerson };
    },
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

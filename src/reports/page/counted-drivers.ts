import type { ReportDriver } from '../model.js';

/** Drivers of a report that already have a counted page. */
export class CountedDrivers {
  readonly #onPage = new Map<string, number>();

  /**
   * Records a page of a driver. The same person with the same mobile counts once, even if the request lists them again.
   *
   * @returns the page already counted, if any
   */
  count({ employeeCode, employeeName, mobileId }: ReportDriver, pageNumber: number): number | undefined {
    const person = employeeCode.trim() === '' ? ['name', employeeName.trim()] : ['code', employeeCode.trim()];
    const key = JSON.stringify([...person, mobileId.trim()]);
    const counted = this.#onPage.get(key);
    if (counted === undefined) this.#onPage.set(key, pageNumber);
    return counted;
  }
}

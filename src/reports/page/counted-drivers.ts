import type { ReportDriver } from '../model.js';

/** Which drivers of a report have a page that counts. */
export class CountedDrivers {
  readonly #onPage = new Map<string, number>();

  /**
   * Notes that a driver has a page. The same person with the same mobile counts once, however often the request
   * lists them.
   *
   * @returns the page that counts already, if there is one
   */
  count({ employeeCode, employeeName, mobileId }: ReportDriver, pageNumber: number): number | undefined {
    const person = employeeCode.trim() === '' ? ['name', employeeName.trim()] : ['code', employeeCode.trim()];
    const key = JSON.stringify([...person, mobileId.trim()]);
    const counted = this.#onPage.get(key);
    if (counted === undefined) this.#onPage.set(key, pageNumber);
    return counted;
  }
}

import { expect } from '@jest/globals';
import type { Journal } from '../../src/sandbox/sandbox.js';
import { readPdf } from '../support/pdf-text.js';
import type { Organisation } from './organisation.js';
import { accountEffectsOf, employeeCode, type FinishedOrder, type Order } from './orders.js';

/**
 * Holds what became of all orders against what backend-api did. An order whose answer was lost has happened as a whole
 * or not at all.
 */
export function expectEverythingOnce(organisations: readonly Organisation[], journal: Journal): void {
  const finished = organisations.flatMap((organisation) => organisation.finished);
  const doubtful = organisations.flatMap((organisation) => organisation.doubtful);
  const failed = finished.filter(({ outcome }) => outcome.status !== 'Success');
  expect(failed.map(({ name, outcome }) => ({ name, outcome }))).toEqual([]);
  for (const order of finished) expectWhole(order, journal);
  for (const order of doubtful.filter((each) => hasBegun(each, journal))) expectWhole(order, journal);
  expectLastNames(finished, doubtful, journal);
  expectNobodyElse([...finished, ...doubtful], journal);
  expect(journal.contractViolations()).toEqual([]);
}

function hasBegun({ kind, name }: Order, journal: Journal): boolean {
  if (kind === 'accounts') return accountEffects(name, journal).length > 0;
  return kind === 'mobiles' && mobilesCalled(name, journal).length > 0;
}

function expectWhole(order: Order | FinishedOrder, journal: Journal): void {
  const { kind, name } = order;
  if (kind === 'mobiles') {
    // The same value may have been set again, by an attempt that could not know.
    expect(new Set(mobilesCalled(name, journal))).toEqual(new Set(order.mobiles));
  }
  if (kind !== 'accounts') return;
  const effects = accountEffects(name, journal);
  const described = effects.map((effect) => `${effect.kind} ${effect.loginId}`);
  const updatedOnce = described.filter(
    (text, index) => !text.startsWith('userAccountUpdated') || described[index - 1] !== text,
  );
  expect(updatedOnce).toEqual(accountEffectsOf(order));
  if (!('outcome' in order)) return;
  const created = effects.filter((effect) => effect.kind === 'userAccountCreated').map(({ id }) => id);
  expect(order.outcome.createdUserAccountId).toEqual(created);
}

function accountEffects(name: string, journal: Journal) {
  const ofAccounts = journal.effects().filter((effect) => effect.kind !== 'mobileUpdated');
  return ofAccounts.filter(({ loginId }) => loginId.startsWith(`${name}-`));
}

function mobilesCalled(name: string, journal: Journal): number[] {
  return journal
    .effects('mobileUpdated')
    .filter(({ patch }) => patch.name === name)
    .map(({ id }) => id);
}

/** Each mobile was called after its orders in turn, never again after an earlier one, and by the last one in the end. */
function expectLastNames(finished: readonly FinishedOrder[], doubtful: readonly Order[], journal: Journal): void {
  const unknown = new Set(doubtful.map(({ name }) => name));
  const wanted = finished.filter(({ kind }) => kind === 'mobiles');
  for (const mobile of new Set(wanted.flatMap((order) => order.mobiles))) {
    const names = journal
      .effects('mobileUpdated')
      .filter(({ id, patch }) => id === mobile && !unknown.has(patch.name ?? ''))
      .map(({ patch }) => patch.name);
    const orders = wanted.filter((order) => order.mobiles.includes(mobile)).map(({ name }) => name);
    expect(names.filter((name, index) => names[index - 1] !== name)).toEqual(orders);
  }
}

/** Nothing was done that nobody ordered. */
function expectNobodyElse(orders: readonly Order[], journal: Journal): void {
  const names = new Set(orders.map(({ name }) => name));
  const nameOf = (effect: ReturnType<Journal['effects']>[number]): string =>
    effect.kind === 'mobileUpdated' ? (effect.patch.name ?? '') : effect.loginId.replace(/-\d+$/, '');
  expect(journal.effects().filter((effect) => !names.has(nameOf(effect)))).toEqual([]);
}

/** Every report can be downloaded, is a whole PDF and has every driver. */
export async function expectReports(organisation: Organisation, since: number): Promise<number> {
  const reports = organisation.finished.slice(since).filter(({ kind }) => kind === 'reports');
  for (const order of reports) {
    expect(order.outcome.errorList).toBeNull();
    const response = await fetch(await organisation.downloadUrl(order));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const { drivers } = order.value as { drivers: readonly unknown[] }; // as it was ordered
    // Enough of a large one shows that its end is there.
    const { pages, pageCount } = await readPdf(
      new Uint8Array(await response.arrayBuffer()),
      drivers.length > 10 ? -1 : 1,
    );
    expect(pageCount).toBeGreaterThan(drivers.length);
    expect(pages.join('\n')).toContain(employeeCode(order.name, drivers.length - 1));
  }
  return reports.length;
}

import { createAccounts, deleteAccount, updateAccount } from '../support/job-requests.js';
import type { PolledStatus, StartedKind } from '../support/started-jobs.js';

/** A job that an organisation has asked for. */
export interface Order {
  readonly kind: StartedKind;
  readonly org: string;
  /** No other order has it; what the job makes or changes is called after it. */
  readonly name: string;
  /** Input of the starting mutation. */
  readonly value: unknown;
  /** The mobiles that are changed, or reported on, in their order. */
  readonly mobiles: readonly number[];
}

/** An order whose job was accepted and has ended. */
export interface FinishedOrder extends Order {
  readonly jobId: string;
  readonly outcome: PolledStatus;
}

/** Makes an order. @param name see {@link Order} @param mobiles at least one, for those of kinds that have any */
export type OrderForm = (org: string, name: string, mobiles: readonly number[]) => Order;

const ACCOUNTS = 15;

/** A day on which every driver had the same record, with twelve trips, so that a large report takes few drivers. */
export const SAME_FOR_ALL_DAY = '2026-11-18';
const ORDINARY_DAY = '2026-11-19';

/** Enough drivers for a report in several parts, which S3 wants to be 5 MiB at least. */
const LARGE = 450;

/** Creates accounts, renames the first and removes the last one. */
export const accounts: OrderForm = (org, name) => ({
  kind: 'accounts',
  org,
  name,
  value: [
    ...createAccounts(name, ACCOUNTS),
    updateAccount(`${name}-0`, { name: 'renamed' }),
    deleteAccount(`${name}-${ACCOUNTS - 1}`),
  ],
  mobiles: [],
});

/** What an order of accounts does to backend-api, in order. */
export function accountEffectsOf({ name }: Order): readonly string[] {
  return [
    ...Array.from({ length: ACCOUNTS }, (_, index) => `userAccountCreated ${name}-${index}`),
    `userAccountUpdated ${name}-0`,
    `userAccountDeleted ${name}-${ACCOUNTS - 1}`,
  ];
}

/** Calls mobiles after the order. */
export const mobiles: OrderForm = (org, name, ids) => ({
  kind: 'mobiles',
  org,
  name,
  value: ids.map((id) => ({ id, name })),
  mobiles: ids,
});

/** A driver for each mobile. */
export const report: OrderForm = (org, name, ids) => reportOf(org, name, ids, ORDINARY_DAY);

/** A report that goes to the bucket in parts. */
export const largeReport: OrderForm = (org, name, ids) =>
  reportOf(
    org,
    name,
    Array.from({ length: LARGE }, (_, index) => ids[index % ids.length] ?? 0),
    SAME_FOR_ALL_DAY,
  );

function reportOf(org: string, name: string, ids: readonly number[], day: string): Order {
  const drivers = ids.map((id, index) => ({
    mobileId: String(id),
    employeeCode: employeeCode(name, index),
    employeeName: '運転 太郎',
  }));
  return { kind: 'reports', org, name, value: { date: `${day}T12:00:00+09:00`, drivers }, mobiles: ids };
}

/** What a report calls its drivers. */
export function employeeCode(name: string, index: number): string {
  return `${name}-E${index}`;
}

import type { Reply } from './gateway.js';

/** Paths of the specified callbacks (specification, "Endpoints"). */
export const DRIVING_REPORT = '/api/v1/DrivingReport/GenerateCallback';
export const USER_ACCOUNTS = '/api/v1/UserAccount/BulkOperationCallback';
export const MOBILES = '/api/v1/Mobile/BulkUpdateCallback';

/** An item of a bulk account job. */
export interface AccountItem {
  readonly type: number;
  readonly userAccountInput: { readonly loginId: string } & Readonly<Record<string, unknown>>;
}

/** Creates an account; `fields` overrides what the account is made of. */
export function createAccount(loginId: string, fields: Record<string, unknown> = {}): AccountItem {
  return { type: 0, userAccountInput: { loginId, password: 'a-long-password', name: `Name of ${loginId}`, ...fields } };
}

export function updateAccount(loginId: string, fields: Record<string, unknown> = {}): AccountItem {
  return { type: 1, userAccountInput: { loginId, ...fields } };
}

export function deleteAccount(loginId: string): AccountItem {
  return { type: 2, userAccountInput: { loginId } };
}

/** So many creates, their login ids numbered from 0. */
export function createAccounts(prefix: string, count: number): AccountItem[] {
  return Array.from({ length: count }, (_, index) => createAccount(`${prefix}-${index}`));
}

const OPERATION_NAMES = ['CREATE', 'UPDATE', 'DELETE'];

/** The argument of the mutation that orders a job with this body. */
export function argumentOf(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.map((item: object) => ('type' in item ? { ...item, type: OPERATION_NAMES[Number(item.type)] } : item));
}

/** The input of a report on 19 November 2026, with a driver for each mobile. */
export function reportOf(...mobileIds: readonly (number | string)[]) {
  const drivers = mobileIds.map((id) => ({ mobileId: String(id), employeeCode: `E-${id}`, employeeName: '佐藤 健一' }));
  return { date: '2026-11-19T00:00:00+09:00', drivers };
}

export function jobHeaders(jobId: string, org = 'acme'): Record<string, string> {
  return { 'x-job-id': jobId, 'x-org-id': org };
}

/** The parts of a reply that the tests of jobs look at. */
export function outcomeOf({ status, text, headers }: Reply): { status: number; text: string; replayed: string | null } {
  return { status, text, replayed: headers.get('x-job-replayed') };
}

/** The reply of a callback of the bulk jobs. */
export interface BulkReply {
  readonly status: string;
  readonly data?: { readonly created_user_account_id: readonly number[] };
  readonly errors?: readonly string[];
}

/** The body of a reply that was checked against its specification already. */
export function bulkReply({ body }: Reply): BulkReply {
  return body as BulkReply;
}

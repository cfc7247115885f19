import canonicalize from 'canonicalize';
import type { components } from '../../../generated/backend-api.js';
import { BackendFailure } from '../operation-types.js';
import type { BackendHandlers, Caller } from './callers.js';
import { pageOf } from './pages.js';
import type { BackendState, StoredAccount } from './state.js';

/** Request that may be a repetition. */
interface RepeatableRequest<T> {
  /** Without a key, the request is new. */
  readonly key: string | undefined;
  readonly body: unknown;
  /** Does the work; its result or error is the first answer. */
  readonly run: () => T;
  /** Called instead of `run` if there is a first answer already. */
  readonly onReplay: () => void;
}

/** First answers by key: a repetition has no effect and gets the first answer, refusals included. */
class FirstAnswers<T> {
  readonly #digest: (body: string) => string;
  readonly #answers = new Map<string, { readonly digest: string; readonly answer: () => T }>();

  /** @param digest one-way digest; bodies may hold passwords */
  constructor(digest: (body: string) => string) {
    this.#digest = digest;
  }

  /** Answers a request. Throws a 422 failure if its key came with another body before. */
  answer({ key, body, run, onReplay }: RepeatableRequest<T>): T {
    if (key === undefined) return run();
    const digest = this.#digest(canonicalize(body) ?? '');
    const first = this.#answers.get(key);
    if (first === undefined) {
      const answer = firstAnswer(run);
      this.#answers.set(key, { digest, answer });
      return answer();
    }
    if (first.digest !== digest) {
      throw new BackendFailure(422, 'This Idempotency-Key was used before with another body.');
    }
    onReplay();
    return first.answer();
  }
}

/** Runs a function. @returns a function that repeats its result or its refusal */
function firstAnswer<T>(run: () => T): () => T {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    if (!(error instanceof BackendFailure)) throw error;
    return () => {
      throw error;
    };
  }
}

type UserAccountInput = components['schemas']['UserAccountInput'];
type AccountHandlers = Pick<
  BackendHandlers,
  'listUserAccounts' | 'createUserAccount' | 'getUserAccount' | 'updateUserAccount' | 'deleteUserAccount'
>;

/** Makes handlers of user accounts: readable in the whole organisation, changed by administrators and the service. */
export function accountHandlers(state: BackendState): AccountHandlers {
  const { accounts } = state;
  const firstAnswers = new FirstAnswers<{ readonly id: number }>((body) => state.digest(body));

  return {
    listUserAccounts: ({ query, caller }) => {
      const profiles = [...accounts.values()]
        .filter(({ org }) => org === caller.organisation.code)
        .map(({ profile }) => profile);
      return { status: 200, body: pageOf(profiles, query) };
    },

    createUserAccount: ({ header, body, caller, record, markReplayed }) => {
      assertMayAdminister(caller);
      const org = caller.organisation.code;
      const created = firstAnswers.answer({
        key: header['Idempotency-Key'] && `${org} ${header['Idempotency-Key']}`,
        body,
        onReplay: markReplayed,
        run: () => {
          const account = newAccount(state, org, body);
          accounts.set(body.loginId, account);
          record({ kind: 'userAccountCreated', org, loginId: body.loginId, id: account.profile.id });
          return { id: account.profile.id };
        },
      });
      return { status: 201, body: created };
    },

    getUserAccount: ({ path, caller }) => {
      return { status: 200, body: ownAccount(state, path.loginId, caller).profile };
    },

    updateUserAccount: ({ path, body, caller, record }) => {
      assertMayAdminister(caller);
      const account = ownAccount(state, path.loginId, caller);
      const { password, ...changes } = body;
      assertNotBlank(body, ['password', 'name']);
      if (body.loginId !== path.loginId && accounts.has(body.loginId)) throw loginIdTaken();
      const updated = {
        ...account,
        profile: { ...account.profile, ...changes },
        ...(password !== undefined && { passwordDigest: state.digest(password) }),
      };
      accounts.delete(path.loginId);
      accounts.set(body.loginId, updated);
      record({
        kind: 'userAccountUpdated',
        org: account.org,
        loginId: path.loginId,
        id: account.profile.id,
        fields: Object.keys(body),
      });
      return { status: 200, body: updated.profile };
    },

    deleteUserAccount: ({ path, caller, record }) => {
      assertMayAdminister(caller);
      const {
        org,
        profile: { id, loginId },
      } = ownAccount(state, path.loginId, caller);
      accounts.delete(loginId);
      record({ kind: 'userAccountDeleted', org, loginId, id });
      return { status: 204, body: undefined };
    },
  };
}

function newAccount(state: BackendState, org: string, body: UserAccountInput): StoredAccount {
  const { password, name, ...rest } = body;
  if (password === undefined) throw new BackendFailure(422, 'password is required');
  if (name === undefined) throw new BackendFailure(422, 'name is required');
  assertNotBlank(body, ['password', 'name', 'loginId']);
  if (state.accounts.has(body.loginId)) throw loginIdTaken();
  return {
    profile: { isAdmin: false, ...rest, id: state.nextAccountId(), name },
    passwordDigest: state.digest(password),
    org,
    otp: false,
  };
}

function ownAccount(state: BackendState, loginId: string, caller: Caller): StoredAccount {
  const account = state.accounts.get(loginId);
  if (account?.org !== caller.organisation.code) throw new BackendFailure(404, 'user account not found');
  return account;
}

function assertMayAdminister({ mayAdminister }: Caller): void {
  if (!mayAdminister) throw new BackendFailure(403, 'Only administrators may change user accounts.');
}

function assertNotBlank(body: UserAccountInput, fields: readonly ('loginId' | 'name' | 'password')[]): void {
  const blank = fields.find((field) => body[field]?.trim() === '');
  if (blank !== undefined) throw new BackendFailure(422, `${blank} must not be empty`);
}

function loginIdTaken(): BackendFailure {
  return new BackendFailure(409, 'loginId is taken');
}

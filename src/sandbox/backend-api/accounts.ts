import type { components } from '../../../generated/backend-api.js';
import { BackendFailure } from '../operation-types.js';
import type { BackendHandlers, Caller } from './callers.js';
import { FirstAnswers } from './first-answers.js';
import { pageOf } from './pages.js';
import type { BackendState, StoredAccount } from './state.js';

type UserAccountInput = components['schemas']['UserAccountInput'];
type AccountHandlers = Pick<
  BackendHandlers,
  'listUserAccounts' | 'createUserAccount' | 'getUserAccount' | 'updateUserAccount' | 'deleteUserAccount'
>;

/** User accounts: everybody in the organisation may read them, administrators and the service change them. */
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

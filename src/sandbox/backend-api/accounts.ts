import canonicalize from 'canonicalize';
import type { components } from '../../../generated/backend-api.js';
import { BackendFailure } from '../operation-types.js';
import { type BackendHandlers, type SandboxCaller, type BackendState, pageOf } from './callers.js';
import type { StoredAccount } from '../seed/accounts.js';

type UserAccountInput = components['schemas']['UserAccountInput'];
type AccountHandlers = Pick<
  BackendHandlers,
  'listUserAccounts' | 'createUserAccount' | 'getUserAccount' | 'updateUserAccount' | 'deleteUserAccount'
>;

/** Creates the handlers of user accounts, which administrators and the service alone may change. */
export function accountHandlers(state: BackendState): AccountHandlers {
  const { accounts } = state;
  /** First answers by key. They hold digests of bodies, because these contain passwords. */
  const answers = new Map<string, { readonly digest: string; readonly id: number | BackendFailure }>();

  /** Creates an account; a repetition has no effect and gets the first answer, refusals included. */
  function createOnce(key: string, body: UserAccountInput, create: () => number, onReplay: () => void): number {
    const digest = state.digest(canonicalize(body) ?? '');
    const known = answers.get(key);
    if (known !== undefined && known.digest !== digest) {
      throw new BackendFailure(422, 'This Idempotency-Key was used before with another body.');
    }
    if (known !== undefined) onReplay();
    const answer = known ?? { digest, id: idOrFailure(create) };
    answers.set(key, answer);
    if (answer.id instanceof BackendFailure) throw answer.id;
    return answer.id;
  }

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
      const create = (): number => {
        const account = newAccount(state, org, body);
        accounts.set(body.loginId, account);
        record({ kind: 'userAccountCreated', org, loginId: body.loginId, id: account.profile.id });
        return account.profile.id;
      };
      const key = header['Idempotency-Key'];
      const id = key === undefined ? create() : createOnce(`${org} ${key}`, body, create, markReplayed);
      return { status: 201, body: { id } };
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
      const { org, profile } = account;
      record({ kind: 'userAccountUpdated', org, loginId: path.loginId, id: profile.id, fields: Object.keys(body) });
      return { status: 200, body: updated.profile };
    },

    deleteUserAccount: ({ path, caller, record }) => {
      assertMayAdminister(caller);
      const { org, profile } = ownAccount(state, path.loginId, caller);
      accounts.delete(profile.loginId);
      record({ kind: 'userAccountDeleted', org, loginId: profile.loginId, id: profile.id });
      return { status: 204, body: undefined };
    },
  };
}

function idOrFailure(create: () => number): number | BackendFailure {
  try {
    return create();
  } catch (error) {
    if (error instanceof BackendFailure) return error;
    throw error;
  }
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

function ownAccount(state: BackendState, loginId: string, caller: SandboxCaller): StoredAccount {
  const account = state.accounts.get(loginId);
  if (account?.org !== caller.organisation.code) throw new BackendFailure(404, 'user account not found');
  return account;
}

function assertMayAdminister({ mayAdminister }: SandboxCaller): void {
  if (!mayAdminister) throw new BackendFailure(403, 'Only administrators may change user accounts.');
}

function assertNotBlank(body: UserAccountInput, fields: readonly ('loginId' | 'name' | 'password')[]): void {
  const blank = fields.find((field) => body[field]?.trim() === '');
  if (blank !== undefined) throw new BackendFailure(422, `${blank} must not be empty`);
}

function loginIdTaken(): BackendFailure {
  return new BackendFailure(409, 'loginId is taken');
}

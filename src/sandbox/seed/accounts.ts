import type { components } from '../../../generated/backend-api.js';
import { personName } from './fleet.js';
import { randomFrom } from './random.js';

type UserAccount = components['schemas']['UserAccount'];

/** Login of the sandbox that may be displayed, because it is valid only there. */
export interface SandboxAccount {
  readonly loginId: string;
  readonly name: string;
  readonly password: string;
  readonly org: string;
  readonly isAdmin: boolean;
  /** True if login requires a one-time password after the password. */
  readonly otp: boolean;
}

/** Stored user account. Login ids are unique across organisations. */
export interface StoredAccount extends Pick<SandboxAccount, 'org' | 'otp'> {
  readonly profile: UserAccount;
  readonly passwordDigest: string;
}

/** Logins to display. */
export const SHOWN_ACCOUNTS: readonly SandboxAccount[] = [
  { loginId: 'demo', name: 'デモ 管理者', password: 'demo-password', org: 'acme', isAdmin: true, otp: false },
  { loginId: 'driver', name: '運転 太郎', password: 'driver-password', org: 'acme', isAdmin: false, otp: false },
  { loginId: 'otp', name: 'Olivia Pass', password: 'otp-password', org: 'acme', isAdmin: false, otp: true },
  {
    loginId: 'globex-admin',
    name: 'Gloria Beck',
    password: 'globex-password',
    org: 'globex',
    isAdmin: true,
    otp: false,
  },
];

const STAFF = 27;

/** Returns the initial user accounts: {@link SHOWN_ACCOUNTS}, and `staff-01` and so on of `acme`. */
export function seedAccounts(digest: (password: string) => string): StoredAccount[] {
  const shown = SHOWN_ACCOUNTS.map(({ loginId, name, password, org, isAdmin, otp }, index) => ({
    profile: { id: index + 1, loginId, name, isAdmin, useChat: isAdmin },
    passwordDigest: digest(password),
    org,
    otp,
  }));
  const passwordDigest = digest('staff-password');
  const staff = Array.from({ length: STAFF }, (_, index) => {
    const loginId = `staff-${String(index + 1).padStart(2, '0')}`;
    const random = randomFrom(`account/${loginId}`);
    const profile = {
      id: 101 + index,
      loginId,
      name: personName(random),
      isAdmin: random.chance(0.1),
      useChat: random.chance(0.5),
      functionRestriction: random.integer(0, 3),
      useConnectionLimit: random.chance(0.2),
    };
    return { profile, passwordDigest, org: 'acme', otp: false };
  });
  return [...shown, ...staff];
}

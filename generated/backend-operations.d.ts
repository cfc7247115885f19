// Generated from openapi/; run `npm run codegen` instead of editing.
export type BackendOperation = { readonly method: string; readonly path: string; readonly refusals: readonly string[] };
export declare const BACKEND_OPERATIONS: {
  readonly 'backend-api': Readonly<Record<'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp' | 'listMobiles' | 'lookupMobiles' | 'getMobile' | 'updateMobile' | 'getDrivingRecord' | 'listTags' | 'listUserAccounts' | 'createUserAccount' | 'getUserAccount' | 'updateUserAccount' | 'deleteUserAccount' | 'getHealth', BackendOperation>>;
  readonly 'geo-api': Readonly<Record<'reverseGeocode' | 'getHealth', BackendOperation>>;
  readonly 'voip-api': Readonly<Record<'getPresence' | 'getHealth', BackendOperation>>;
};

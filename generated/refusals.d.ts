// Generated from openapi/; run `npm run codegen` instead of editing.
export declare const REFUSALS: {
  readonly 'backend-api': Readonly<Record<'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp' | 'listMobiles' | 'lookupMobiles' | 'getMobile' | 'updateMobile' | 'getDrivingRecord' | 'listTags' | 'listUserAccounts' | 'createUserAccount' | 'getUserAccount' | 'updateUserAccount' | 'deleteUserAccount' | 'getHealth', readonly string[]>>;
  readonly 'geo-api': Readonly<Record<'reverseGeocode' | 'getHealth', readonly string[]>>;
  readonly 'voip-api': Readonly<Record<'getPresence' | 'getHealth', readonly string[]>>;
};

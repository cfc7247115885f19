// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
export declare const CALLBACK_PATHS: {
  readonly 'driving-reports': "/api/v1/DrivingReport/GenerateCallback";
  readonly 'user-accounts': "/api/v1/UserAccount/BulkOperationCallback";
  readonly 'mobiles': "/api/v1/Mobile/BulkUpdateCallback";
};
export declare const LIST_KINDS: readonly ["user-accounts", "mobiles"];

// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
export const CALLBACK_PATHS = {
  "driving-reports": "/api/v1/DrivingReport/GenerateCallback",
  "user-accounts": "/api/v1/UserAccount/BulkOperationCallback",
  "mobiles": "/api/v1/Mobile/BulkUpdateCallback"
};
export const LIST_KINDS = [
  "user-accounts",
  "mobiles"
];

// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
export declare const CALLBACK_PATHS: {
  readonly 'driving-reports': "/api/v1/DrivingReport/GenerateCallback";
  readonly 'user-accounts': "/api/v1/UserAccount/BulkOperationCallback";
  readonly 'mobiles': "/api/v1/Mobile/BulkUpdateCallback";
};
export declare const LIST_KINDS: readonly ["user-accounts", "mobiles"];
export declare const BODY_MEMBERS: {
  readonly 'driving-reports': {
  readonly 'date': Readonly<Record<string, never>>;
  readonly 'drivers': {
  readonly 'mobileId': Readonly<Record<string, never>>;
  readonly 'employeeCode': Readonly<Record<string, never>>;
  readonly 'employeeName': Readonly<Record<string, never>>;
};
};
  readonly 'user-accounts': {
  readonly 'type': Readonly<Record<string, never>>;
  readonly 'userAccountInput': {
  readonly 'loginId': Readonly<Record<string, never>>;
  readonly 'password': Readonly<Record<string, never>>;
  readonly 'name': Readonly<Record<string, never>>;
  readonly 'isAdmin': Readonly<Record<string, never>>;
  readonly 'useChat': Readonly<Record<string, never>>;
  readonly 'functionRestriction': Readonly<Record<string, never>>;
  readonly 'useIndivFilter': Readonly<Record<string, never>>;
  readonly 'indivs': null;
  readonly 'useVPTGrpFilter': Readonly<Record<string, never>>;
  readonly 'vptGrps': null;
  readonly 'useLandmarkCategoryFilter': Readonly<Record<string, never>>;
  readonly 'landmarkCategories': null;
  readonly 'useConnectionLimit': Readonly<Record<string, never>>;
};
};
  readonly 'mobiles': {
  readonly 'id': Readonly<Record<string, never>>;
  readonly 'num': Readonly<Record<string, never>>;
  readonly 'name': Readonly<Record<string, never>>;
  readonly 'tagIds': Readonly<Record<string, never>>;
};
};

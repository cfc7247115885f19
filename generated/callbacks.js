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
export const BODY_MEMBERS = {
  "driving-reports": {
    "date": {},
    "drivers": {
      "mobileId": {},
      "employeeCode": {},
      "employeeName": {}
    }
  },
  "user-accounts": {
    "type": {},
    "userAccountInput": {
      "loginId": {},
      "password": {},
      "name": {},
      "isAdmin": {},
      "useChat": {},
      "functionRestriction": {},
      "useIndivFilter": {},
      "indivs": null,
      "useVPTGrpFilter": {},
      "vptGrps": null,
      "useLandmarkCategoryFilter": {},
      "landmarkCategories": null,
      "useConnectionLimit": {}
    }
  },
  "mobiles": {
    "id": {},
    "num": {},
    "name": {},
    "tagIds": {}
  }
};

// Generated from openapi/; run `npm run codegen` instead of editing.
export const REFUSALS = {
  "backend-api": {
    "getPublicKeys": [
      "4XX",
      "default"
    ],
    "login": [
      "401",
      "default"
    ],
    "refreshToken": [
      "401",
      "default"
    ],
    "sendOtp": [
      "404",
      "4XX",
      "default"
    ],
    "sendTestOtp": [
      "404",
      "4XX",
      "default"
    ],
    "verifyOtp": [
      "401",
      "default"
    ],
    "listMobiles": [
      "401",
      "default"
    ],
    "lookupMobiles": [
      "401",
      "default"
    ],
    "getMobile": [
      "401",
      "404",
      "default"
    ],
    "updateMobile": [
      "401",
      "404",
      "409",
      "422",
      "default"
    ],
    "getDrivingRecord": [
      "401",
      "404",
      "default"
    ],
    "listTags": [
      "401",
      "default"
    ],
    "listUserAccounts": [
      "401",
      "default"
    ],
    "createUserAccount": [
      "401",
      "409",
      "422",
      "default"
    ],
    "getUserAccount": [
      "401",
      "404",
      "default"
    ],
    "updateUserAccount": [
      "401",
      "404",
      "409",
      "422",
      "default"
    ],
    "deleteUserAccount": [
      "401",
      "404",
      "default"
    ],
    "getHealth": [
      "4XX",
      "default"
    ]
  },
  "geo-api": {
    "reverseGeocode": [
      "4XX",
      "default"
    ],
    "getHealth": [
      "4XX",
      "default"
    ]
  },
  "voip-api": {
    "getPresence": [
      "4XX",
      "default"
    ],
    "getHealth": [
      "4XX",
      "default"
    ]
  }
};

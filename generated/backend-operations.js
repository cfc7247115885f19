// Generated from openapi/; run `npm run codegen` instead of editing.
export const BACKEND_OPERATIONS = {
  "backend-api": {
    "getPublicKeys": {
      "method": "GET",
      "path": "/v1/public-keys",
      "refusals": [
        "4XX",
        "default"
      ]
    },
    "login": {
      "method": "POST",
      "path": "/v1/login",
      "refusals": [
        "401",
        "default"
      ]
    },
    "refreshToken": {
      "method": "POST",
      "path": "/v1/token/refresh",
      "refusals": [
        "401",
        "default"
      ]
    },
    "sendOtp": {
      "method": "POST",
      "path": "/v1/otp/send",
      "refusals": [
        "404",
        "4XX",
        "default"
      ]
    },
    "sendTestOtp": {
      "method": "POST",
      "path": "/v1/otp/send-test",
      "refusals": [
        "404",
        "4XX",
        "default"
      ]
    },
    "verifyOtp": {
      "method": "POST",
      "path": "/v1/otp/verify",
      "refusals": [
        "401",
        "default"
      ]
    },
    "listMobiles": {
      "method": "GET",
      "path": "/v1/mobiles",
      "refusals": [
        "401",
        "default"
      ]
    },
    "lookupMobiles": {
      "method": "POST",
      "path": "/v1/mobiles/lookup",
      "refusals": [
        "401",
        "default"
      ]
    },
    "getMobile": {
      "method": "GET",
      "path": "/v1/mobiles/{id}",
      "refusals": [
        "401",
        "404",
        "default"
      ]
    },
    "updateMobile": {
      "method": "PATCH",
      "path": "/v1/mobiles/{id}",
      "refusals": [
        "401",
        "404",
        "409",
        "422",
        "default"
      ]
    },
    "getDrivingRecord": {
      "method": "GET",
      "path": "/v1/mobiles/{id}/driving-record",
      "refusals": [
        "401",
        "404",
        "default"
      ]
    },
    "listTags": {
      "method": "GET",
      "path": "/v1/tags",
      "refusals": [
        "401",
        "default"
      ]
    },
    "listUserAccounts": {
      "method": "GET",
      "path": "/v1/user-accounts",
      "refusals": [
        "401",
        "default"
      ]
    },
    "createUserAccount": {
      "method": "POST",
      "path": "/v1/user-accounts",
      "refusals": [
        "401",
        "409",
        "422",
        "default"
      ]
    },
    "getUserAccount": {
      "method": "GET",
      "path": "/v1/user-accounts/{loginId}",
      "refusals": [
        "401",
        "404",
        "default"
      ]
    },
    "updateUserAccount": {
      "method": "PUT",
      "path": "/v1/user-accounts/{loginId}",
      "refusals": [
        "401",
        "404",
        "409",
        "422",
        "default"
      ]
    },
    "deleteUserAccount": {
      "method": "DELETE",
      "path": "/v1/user-accounts/{loginId}",
      "refusals": [
        "401",
        "404",
        "default"
      ]
    },
    "getHealth": {
      "method": "GET",
      "path": "/health",
      "refusals": [
        "4XX",
        "default"
      ]
    }
  },
  "geo-api": {
    "reverseGeocode": {
      "method": "POST",
      "path": "/v1/reverse-geocode",
      "refusals": [
        "4XX",
        "default"
      ]
    },
    "getHealth": {
      "method": "GET",
      "path": "/health",
      "refusals": [
        "4XX",
        "default"
      ]
    }
  },
  "voip-api": {
    "getPresence": {
      "method": "GET",
      "path": "/v1/presence",
      "refusals": [
        "4XX",
        "default"
      ]
    },
    "getHealth": {
      "method": "GET",
      "path": "/health",
      "refusals": [
        "4XX",
        "default"
      ]
    }
  }
};

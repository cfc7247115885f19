// Generated from ./openapi/backend-api.yaml; run `npm run codegen` instead of editing.
export interface paths {
    readonly "/v1/public-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** RSA public keys that verify access tokens, newest first */
        readonly get: operations["getPublicKeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Check a login id and password */
        readonly post: operations["login"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/token/refresh": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Exchange a refresh token for a new session */
        readonly post: operations["refreshToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/otp/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send a one-time password to the account's registered address */
        readonly post: operations["sendOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/otp/send-test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Issue a one-time password for testing */
        readonly post: operations["sendTestOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/otp/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Exchange a one-time password for a session */
        readonly post: operations["verifyOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/mobiles": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Mobiles the caller may see, one page at a time */
        readonly get: operations["listMobiles"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/mobiles/lookup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Which of these mobiles the caller may see */
        readonly post: operations["lookupMobiles"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/mobiles/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Mobile station identifier */
                readonly id: components["parameters"]["MobileId"];
            };
            readonly cookie?: never;
        };
        /** One mobile */
        readonly get: operations["getMobile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Change the number, the name or the tags of a mobile */
        readonly patch: operations["updateMobile"];
        readonly trace?: never;
    };
    readonly "/v1/mobiles/{id}/driving-record": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Mobile station identifier */
                readonly id: components["parameters"]["MobileId"];
            };
            readonly cookie?: never;
        };
        /** Trips of a mobile in a span of time */
        readonly get: operations["getDrivingRecord"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/tags": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Every tag of the organisation
         * @description Also asked with the service key and no organisation, to see whether the key is known; which tags are answered then does not matter.
         */
        readonly get: operations["listTags"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/user-accounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** User accounts, one page at a time */
        readonly get: operations["listUserAccounts"];
        readonly put?: never;
        /** Create a user account */
        readonly post: operations["createUserAccount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/user-accounts/{loginId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly loginId: string;
            };
            readonly cookie?: never;
        };
        /**
         * One user account
         * @description The gateway asks for users, and with its service key after a create whose repetition was refused.
         */
        readonly get: operations["getUserAccount"];
        /** Change a user account */
        readonly put: operations["updateUserAccount"];
        readonly post?: never;
        /** Delete a user account */
        readonly delete: operations["deleteUserAccount"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Answers with any 2xx status when healthy */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Failure: {
            readonly message: string;
        };
        readonly PublicKeys: {
            readonly keys: readonly components["schemas"]["PublicKey"][];
        };
        readonly PublicKey: {
            readonly kid?: string;
            /** @description RSA public key, SPKI, PEM form */
            readonly pem: string;
        };
        readonly LoginRequest: {
            readonly loginId: string;
            readonly password: string;
        };
        /** @description Without a demand for a one-time password there is a session */
        readonly LoginReply: {
            readonly otpRequired: boolean;
            readonly session?: components["schemas"]["Session"];
            /** @description Ties the one-time password to this password step */
            readonly challenge?: string;
        };
        readonly RefreshRequest: {
            readonly refreshToken: string;
        };
        readonly OtpRequest: {
            readonly loginId: string;
        };
        /** @description A challenge or a code ends after a few wrong tries, wherever they come from */
        readonly OtpVerification: {
            readonly loginId: string;
            readonly code: string;
            readonly challenge?: string;
        };
        readonly OtpDelivery: {
            readonly sentTo: string;
            /**
             * Format: int32
             * @description seconds
             */
            readonly expiresIn: number;
        };
        readonly Session: {
            readonly accessToken: string;
            readonly refreshToken: string;
            /**
             * Format: int32
             * @description seconds
             */
            readonly expiresIn: number;
        };
        readonly MobileIds: {
            readonly ids: readonly string[];
        };
        /** @description Exact in every JSON parser (RFC 7493, section 2.2) */
        readonly Identifier: number;
        readonly Mobile: {
            readonly id: components["schemas"]["Identifier"];
            readonly num: string;
            readonly name: string;
            readonly tagIds: readonly components["schemas"]["Identifier"][];
            readonly position: components["schemas"]["Position"] | null;
        };
        readonly Position: {
            readonly lat: number;
            readonly lng: number;
            readonly speedKmh: number;
            /** @description degrees clockwise from north */
            readonly heading: number;
            /**
             * Format: date-time
             * @description RFC 3339 with capital letters and without leap seconds, which ECMAScript cannot represent
             */
            readonly recordedAt: string;
        };
        readonly MobilePage: {
            /** @description At most `limit`; a longer page is refused as a whole */
            readonly items: readonly components["schemas"]["Mobile"][];
            /** @description Absent or empty when no page follows */
            readonly nextCursor?: string;
            /**
             * Format: int32
             * @description Entries of all pages; absent when not counted
             */
            readonly total?: number;
        };
        readonly MobilePatch: {
            readonly num?: string;
            readonly name?: string;
            readonly tagIds?: readonly components["schemas"]["Identifier"][];
        };
        readonly DrivingRecord: {
            readonly mobileId: string;
            readonly trips: readonly components["schemas"]["Trip"][];
        };
        readonly Trip: {
            readonly start: components["schemas"]["Fix"];
            readonly end: components["schemas"]["Fix"];
            readonly distanceMeters: number;
            readonly stopCount: number;
            readonly maxSpeedKmh: number;
            readonly idleSeconds: number;
            readonly track: readonly components["schemas"]["TrackPoint"][];
        };
        readonly Fix: {
            /** Format: date-time */
            readonly time: string;
            readonly lat: number;
            readonly lng: number;
        };
        readonly TrackPoint: {
            /** Format: date-time */
            readonly time: string;
            readonly lat: number;
            readonly lng: number;
            readonly speedKmh: number;
        };
        readonly Tags: {
            readonly items: readonly components["schemas"]["Tag"][];
        };
        readonly Tag: {
            readonly id: components["schemas"]["Identifier"];
            readonly name: string;
        };
        readonly CreatedUserAccount: {
            readonly id: components["schemas"]["Identifier"];
        };
        readonly UserAccountPage: {
            /** @description At most `limit`; a longer page is refused as a whole */
            readonly items: readonly components["schemas"]["UserAccount"][];
            /** @description Absent or empty when no page follows */
            readonly nextCursor?: string;
            /**
             * Format: int32
             * @description Entries of all pages; absent when not counted
             */
            readonly total?: number;
        };
        readonly UserAccount: {
            readonly id: components["schemas"]["Identifier"];
            readonly loginId: string;
            readonly name: string;
            readonly isAdmin: boolean;
            readonly useChat?: boolean;
            /** Format: int32 */
            readonly functionRestriction?: number;
            readonly useIndivFilter?: boolean;
            readonly indivs?: readonly unknown[];
            readonly useVPTGrpFilter?: boolean;
            readonly vptGrps?: readonly unknown[];
            readonly useLandmarkCategoryFilter?: boolean;
            readonly landmarkCategories?: readonly unknown[];
            readonly useConnectionLimit?: boolean;
        };
        readonly UserAccountInput: {
            readonly loginId: string;
            readonly password?: string;
            readonly name?: string;
            readonly isAdmin?: boolean;
            readonly useChat?: boolean;
            readonly functionRestriction?: number;
            readonly useIndivFilter?: boolean;
            readonly indivs?: readonly unknown[];
            readonly useVPTGrpFilter?: boolean;
            readonly vptGrps?: readonly unknown[];
            readonly useLandmarkCategoryFilter?: boolean;
            readonly landmarkCategories?: readonly unknown[];
            readonly useConnectionLimit?: boolean;
        };
    };
    responses: {
        /** @description The request failed; the message says why */
        readonly Failure: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "There is no such mobile."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The token, or the service key, is not accepted */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "A valid bearer token or service key is required."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The login id is taken; or, with `Retry-After`, a request with the same key is still being answered */
        readonly TakenOrUnderWay: {
            headers: {
                /** @description Seconds after which the request may be repeated */
                readonly "Retry-After"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "loginId is taken"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description A session */
        readonly Session: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "accessToken": "eyJhbGciOiJSUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJzdWIiOiJ0YW5ha2EifQ.c2lnbmF0dXJl",
                 *       "refreshToken": "4b8f2c1e7a",
                 *       "expiresIn": 3600
                 *     }
                 */
                readonly "application/json": components["schemas"]["Session"];
            };
        };
        /** @description Where the one-time password went, masked */
        readonly OtpDelivery: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "sentTo": "t*****@example.com",
                 *       "expiresIn": 300
                 *     }
                 */
                readonly "application/json": components["schemas"]["OtpDelivery"];
            };
        };
        /** @description The mobile */
        readonly Mobile: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": 1,
                 *       "num": "M-0001",
                 *       "name": "Truck 1",
                 *       "tagIds": [
                 *         1,
                 *         2
                 *       ],
                 *       "position": {
                 *         "lat": 35.6812,
                 *         "lng": 139.7671,
                 *         "speedKmh": 42.5,
                 *         "heading": 90,
                 *         "recordedAt": "2026-11-20T09:15:00+09:00"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["Mobile"];
            };
        };
        /** @description The user account */
        readonly UserAccount: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": 301,
                 *       "loginId": "tanaka",
                 *       "name": "田中 直樹",
                 *       "isAdmin": false,
                 *       "useChat": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["UserAccount"];
            };
        };
    };
    parameters: {
        readonly Limit: number;
        /** @description The nextCursor of the page before */
        readonly Cursor: string;
        /** @description Mobile station identifier */
        readonly MobileId: string;
    };
    requestBodies: {
        readonly OtpRequest: {
            readonly content: {
                /**
                 * @example {
                 *       "loginId": "tanaka"
                 *     }
                 */
                readonly "application/json": components["schemas"]["OtpRequest"];
            };
        };
        readonly UserAccountInput: {
            readonly content: {
                /**
                 * @example {
                 *       "loginId": "tanaka",
                 *       "password": "correct-horse",
                 *       "name": "田中 直樹",
                 *       "isAdmin": false
                 *     }
                 */
                readonly "application/json": components["schemas"]["UserAccountInput"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getPublicKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of an earlier answer */
                readonly "If-None-Match"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The keys; usually one, two during a rotation */
            readonly 200: {
                headers: {
                    /** @description Changes whenever the set of keys changes */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kid": "2026-11",
                     *           "pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA9iATw27ABo3dMtYlZNbX\n99ztz/OjLzwAFuspjudcypqHhPBf8mgFkqp2sQ6fX9sCKVbKhFEuce3jJtuDTcNV\nkbVYA7Ko1WamA5eP1ZWkL3PP/Qe0ETiLzFwKEDevSTCFrDpy96cQJbSo65F7K5QJ\nYeSO+CWYXxETcpCz5qhPz7jobXpPEuhL+wqQqF7/+oA6KjuA71NWsjDAwvDXJpqW\nzzxJmoUaOWt6Dj28z3trUw1YUyiFHzQYQLjmwJ8yipxWzxCjj1x8JbqViA5ImiAQ\nch6Y2g6eFiPolFB1BDLG2YquPxVIu4McI8fwuPzrl2ETzc6gS+rZw/HzSvT1ouRW\nTQIDAQAB\n-----END PUBLIC KEY-----\n"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PublicKeys"];
                };
            };
            /** @description The keys have not changed since the ETag given in `If-None-Match` */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly login: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "loginId": "tanaka",
                 *       "password": "correct-horse"
                 *     }
                 */
                readonly "application/json": components["schemas"]["LoginRequest"];
            };
        };
        readonly responses: {
            /** @description A session, or the demand for a one-time password */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LoginReply"];
                };
            };
            readonly 401: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly refreshToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "refreshToken": "4b8f2c1e7a"
                 *     }
                 */
                readonly "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Session"];
            readonly 401: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly sendOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["OtpRequest"];
        readonly responses: {
            readonly 200: components["responses"]["OtpDelivery"];
            readonly 404: components["responses"]["Failure"];
            readonly "4XX": components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly sendTestOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["OtpRequest"];
        readonly responses: {
            readonly 200: components["responses"]["OtpDelivery"];
            readonly 404: components["responses"]["Failure"];
            readonly "4XX": components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly verifyOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "loginId": "tanaka",
                 *       "code": "493021",
                 *       "challenge": "c-7d4f5a2e"
                 *     }
                 */
                readonly "application/json": components["schemas"]["OtpVerification"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Session"];
            readonly 401: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listMobiles: {
        readonly parameters: {
            readonly query?: {
                /** @description Part of the number or the name */
                readonly search?: string;
                /** @description Only mobiles that carry every one of these tags */
                readonly tagIds?: readonly components["schemas"]["Identifier"][];
                readonly limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of the page before */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 1,
                     *           "num": "M-0001",
                     *           "name": "Truck 1",
                     *           "tagIds": [
                     *             1,
                     *             2
                     *           ],
                     *           "position": {
                     *             "lat": 35.6812,
                     *             "lng": 139.7671,
                     *             "speedKmh": 42.5,
                     *             "heading": 90,
                     *             "recordedAt": "2026-11-20T09:15:00+09:00"
                     *           }
                     *         },
                     *         {
                     *           "id": 2,
                     *           "num": "M-0002",
                     *           "name": "Truck 2",
                     *           "tagIds": [],
                     *           "position": null
                     *         }
                     *       ],
                     *       "nextCursor": "2"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MobilePage"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly lookupMobiles: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "1",
                 *         "2"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["MobileIds"];
            };
        };
        readonly responses: {
            /** @description Those of the given ids that the caller may see */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "1"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MobileIds"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getMobile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Mobile station identifier */
                readonly id: components["parameters"]["MobileId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Mobile"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly updateMobile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Mobile station identifier */
                readonly id: components["parameters"]["MobileId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "num": "M-0001",
                 *       "name": "Truck 1",
                 *       "tagIds": [
                 *         1,
                 *         2
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["MobilePatch"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Mobile"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Failure"];
            readonly 409: components["responses"]["Failure"];
            readonly 422: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getDrivingRecord: {
        readonly parameters: {
            readonly query: {
                /** @description Inclusive */
                readonly from: string;
                /** @description Exclusive */
                readonly to: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Mobile station identifier */
                readonly id: components["parameters"]["MobileId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The trips, oldest first */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mobileId": "1",
                     *       "trips": [
                     *         {
                     *           "start": {
                     *             "time": "2026-11-20T09:00:00+09:00",
                     *             "lat": 35.6812,
                     *             "lng": 139.7671
                     *           },
                     *           "end": {
                     *             "time": "2026-11-20T09:40:00+09:00",
                     *             "lat": 35.4437,
                     *             "lng": 139.638
                     *           },
                     *           "distanceMeters": 31500,
                     *           "stopCount": 1,
                     *           "maxSpeedKmh": 78.5,
                     *           "idleSeconds": 240,
                     *           "track": [
                     *             {
                     *               "time": "2026-11-20T09:00:00+09:00",
                     *               "lat": 35.6812,
                     *               "lng": 139.7671,
                     *               "speedKmh": 0
                     *             },
                     *             {
                     *               "time": "2026-11-20T09:20:00+09:00",
                     *               "lat": 35.5308,
                     *               "lng": 139.6974,
                     *               "speedKmh": 61.5
                     *             },
                     *             {
                     *               "time": "2026-11-20T09:40:00+09:00",
                     *               "lat": 35.4437,
                     *               "lng": 139.638,
                     *               "speedKmh": 0
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DrivingRecord"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listTags: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The tags */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 1,
                     *           "name": "東京"
                     *         },
                     *         {
                     *           "id": 2,
                     *           "name": "冷凍"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Tags"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listUserAccounts: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of the page before */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 301,
                     *           "loginId": "tanaka",
                     *           "name": "田中 直樹",
                     *           "isAdmin": false,
                     *           "useChat": true
                     *         }
                     *       ],
                     *       "nextCursor": "301"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["UserAccountPage"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly createUserAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and gets the first answer. While there is no first answer yet, a repetition is answered 409 with `Retry-After`, and a 409 without one is an answer like any other. A key is remembered for as long as jobs may wait, a day at least (`QUEUE_PATIENCE_SECONDS` of the gateway). If a repetition is refused nevertheless (400, 403, 409 or 422), the gateway looks the account up by its login id: 404 says that nothing was created, and with an account the item is not known to be done */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["UserAccountInput"];
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 301
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreatedUserAccount"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 409: components["responses"]["TakenOrUnderWay"];
            readonly 422: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getUserAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly loginId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["UserAccount"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly updateUserAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly loginId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["UserAccountInput"];
        readonly responses: {
            readonly 200: components["responses"]["UserAccount"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Failure"];
            readonly 409: components["responses"]["Failure"];
            readonly 422: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly deleteUserAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly loginId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Failure"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Healthy */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not healthy */
            readonly "4XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not healthy */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

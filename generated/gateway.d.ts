// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
export interface paths {
    readonly "/.well-known/jwks.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Public key set for verifying tokens */
        readonly get: operations["getJwks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/DrivingReport/GenerateCallback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Generate the driving report of one day and put the PDF into the object store */
        readonly post: operations["generateDrivingReport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/UserAccount/BulkOperationCallback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Create, update and delete user accounts, one after another */
        readonly post: operations["bulkOperationUserAccount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/Mobile/BulkUpdateCallback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Update mobile stations, one after another */
        readonly post: operations["bulkUpdateMobile"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Health including the dependencies */
        readonly get: operations["getReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/live": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Health of the service itself; dependencies are not looked at */
        readonly get: operations["getLiveness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/files/{key}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Download an object of the embedded store through a signed link that expires */
        readonly get: operations["downloadFile"];
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
        /** Format: date-time */
        readonly QueuedAt: string;
        readonly JobId: string;
        /** @description Organisation code, not blank; in a header it is percent-encoded UTF-8 when it holds anything but visible ASCII. As `encodeURIComponent` writes it, with `.` as `%2E`, it has at most 512 bytes */
        readonly OrgId: string;
        readonly Failure: {
            readonly message: string;
        };
        readonly BadInput: {
            readonly message: string;
            /** @description Faults, ten at most, without values */
            readonly errors?: readonly {
                /** @description JSON pointer into the body, or the name of a header */
                readonly path: string;
                readonly message: string;
            }[];
        };
        readonly Jwks: {
            readonly keys: readonly components["schemas"]["Jwk"][];
        };
        readonly Jwk: {
            /** @constant */
            readonly alg: "RS256";
            /** @constant */
            readonly kty: "RSA";
            /** @constant */
            readonly use: "sig";
            readonly kid: string;
            readonly n: string;
            readonly e: string;
        };
        readonly DrivingReportRequest: {
            readonly date: components["schemas"]["ReportDate"];
            readonly drivers: readonly components["schemas"]["Driver"][];
        };
        readonly Driver: {
            readonly mobileId: string;
            readonly employeeCode: components["schemas"]["Text"];
            readonly employeeName: components["schemas"]["Text"];
        };
        /** @description The driving day is the calendar day of this timestamp in its own UTC offset, or in REPORT_TIME_ZONE where that is set */
        readonly ReportDate: string;
        readonly DrivingReportReply: {
            /** @description Object key of the PDF; empty when the job was cancelled before one was made */
            readonly key: string;
            readonly errorList: readonly components["schemas"]["DriverError"][] | null;
        };
        readonly DriverError: {
            /** @description Empty when all drivers of a cancelled job are meant */
            readonly mobileId: string;
            readonly employeeCode: string;
            /**
             * @description `Cancelled`: the job was cancelled before the driver's turn came
             * @enum {string}
             */
            readonly code: "NotFound" | "Forbidden" | "BadInput" | "ServiceUnavailable" | "InternalError" | "Cancelled";
            readonly message: string;
        };
        readonly BulkUserAccountRequest: readonly components["schemas"]["UserAccountOperation"][];
        readonly UserAccountOperation: {
            /** @description 0 = create, 1 = update, 2 = delete */
            readonly type: number;
            readonly userAccountInput: components["schemas"]["UserAccountInput"];
        };
        readonly UserAccountInput: {
            /** @description Login identifier */
            readonly loginId: string;
            /** @description Required to create */
            readonly password?: components["schemas"]["Text"];
            /** @description Display name; required to create */
            readonly name?: components["schemas"]["Text"];
            readonly isAdmin?: boolean;
            readonly useChat?: boolean;
            readonly functionRestriction?: number;
            readonly useIndivFilter?: boolean;
            readonly indivs?: components["schemas"]["FilterEntries"];
            readonly useVPTGrpFilter?: boolean;
            readonly vptGrps?: components["schemas"]["FilterEntries"];
            readonly useLandmarkCategoryFilter?: boolean;
            readonly landmarkCategories?: components["schemas"]["FilterEntries"];
            readonly useConnectionLimit?: boolean;
        };
        readonly BulkUserAccountReply: {
            /** @enum {string} */
            readonly status: "Success" | "Failure";
            /** @description Present on success, and on failure when accounts were created */
            readonly data?: {
                readonly created_user_account_id: readonly number[];
            };
            /** @description Present on failure */
            readonly errors?: readonly string[];
        };
        readonly BulkMobileRequest: readonly components["schemas"]["MobileUpdate"][];
        readonly MobileUpdate: {
            /** @description Mobile station identifier */
            readonly id: components["schemas"]["Identifier"];
            readonly num?: components["schemas"]["Text"];
            readonly name?: components["schemas"]["Text"];
            /** @description Tag identifiers */
            readonly tagIds?: readonly components["schemas"]["Identifier"][];
        };
        readonly BulkMobileReply: {
            /** @enum {string} */
            readonly status: "Success" | "Failure";
            /** @description Present on failure */
            readonly errors?: readonly string[];
        };
        /** @description Identifier of a mobile station or a tag */
        readonly Identifier: number;
        readonly Text: string;
        /** @description Any JSON values */
        readonly FilterEntries: readonly unknown[];
        readonly Readiness: {
            /**
             * @description NG exactly when a dependency, a store or the gateway itself is not OK
             * @enum {string}
             */
            readonly Status: "OK" | "NG";
            readonly Items: {
                readonly "geo-api": components["schemas"]["DependencyStatus"];
                readonly "backend-api": components["schemas"]["DependencyStatus"];
                readonly "voip-api": components["schemas"]["DependencyStatus"];
            };
            /** @description Stores of the gateway. Each is written to once a minute, and asked for an answer otherwise */
            readonly Stores: {
                readonly "job-store": components["schemas"]["DependencyStatus"];
                readonly queue: components["schemas"]["DependencyStatus"];
                readonly "object-store": components["schemas"]["DependencyStatus"];
            };
            /**
             * @description STARTING until the gateway takes requests at full speed, DRAINING from the signal to stop on
             * @enum {string}
             */
            readonly Gateway: "OK" | "STARTING" | "DRAINING";
        };
        /** @enum {string} */
        readonly DependencyStatus: "OK" | "NG";
        readonly Liveness: {
            /** @constant */
            readonly Status: "OK";
        };
    };
    responses: {
        /** @description The request target or its `Host` header cannot be used; send a path in visible ASCII and one `Host` */
        readonly UnusableTarget: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The request target must be a path in visible ASCII; percent-encode everything else."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description A header or the body is malformed, as `errors` says; nothing was run. Move the message to the dead letters */
        readonly BadInput: {
            headers: {
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The request body does not match the specification.",
                 *       "errors": [
                 *         {
                 *           "path": "/0/type",
                 *           "message": "must be 0 (create), 1 (update) or 2 (delete)"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["BadInput"];
            };
        };
        /** @description The API key is missing or wrong; or signatures are required, and there is none that is right, in time, for this job, and used for the first time. Compare keys and clocks, and deliver the message again later */
        readonly Unauthorized: {
            headers: {
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Unauthorized"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The same job is running elsewhere; deliver the message again after `Retry-After` */
        readonly Running: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "This job is running already. Try again later for its outcome."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body, or the number of its items, is over the limit, and no user ordered the job. The limits of an order hold at its start alone: its number of items is not judged again, and its body is received up to 16 MiB */
        readonly TooLarge: {
            headers: {
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Too many items: 1001. The limit is 1000 (BULK_MAX_ITEMS)."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The content type is not JSON; send `application/json` */
        readonly NotJson: {
            headers: {
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Content-Type must be application/json."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The same job id came with a different body, the start of the job was refused, the job has ended since the message was queued (`x-job-queued-at`), it was given up, because gateways that ran it ended again and again, or no user ordered the account job (`CALLBACKS_ORDERED_ONLY`) */
        readonly OtherBody: {
            headers: {
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "This job id was used before with a different body."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The gateway failed in a way that does not pass by itself, such as an upload that is unfinished at the deadline. Count an attempt, and deliver the message again */
        readonly Failed: {
            headers: {
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Something went wrong on our side. Try again later."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Nothing is lost; try again later */
        readonly Unavailable: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Vehicles and accounts cannot be reached at the moment. Try again later."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Nothing is lost and nothing was claimed, or the job goes on where it stopped: a store is unreachable, the bucket refuses, backend-api refuses our key, the service is shutting down, a job has to run alone, or the organisation already runs `JOBS_MAX_RUNNING_PER_ORG` jobs while another one has work (then `Retry-After` is 1). Deliver it again; no attempt is used up */
        readonly ComeAgain: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "x-job-id": components["headers"]["JobId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The organisation runs as many jobs as it may while others have work. Try again later."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Too many objects are being downloaded; try again after `Retry-After` */
        readonly TooManyDownloads: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Too many files are being downloaded. Try again in a second."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The link has expired or was changed; poll the job for a new one. A page for people where HTML is preferred to JSON */
        readonly LinkRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "This download link has expired or is not valid. Ask for a new one."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
                /** @example <!doctype html><title>Download link</title> */
                readonly "text/html": string;
            };
        };
        /** @description No object has this key, or it has expired; order the report again */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Not found."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description Identifies the job, so that a second delivery of it is recognised. Without it the job is identified by its content, while it runs and for ten minutes after. */
        readonly JobId: components["schemas"]["JobId"];
        /** @description Organisation the job belongs to; without it nobody can poll its outcome */
        readonly OrgId: components["schemas"]["OrgId"];
        /**
         * @description When the message was put into its queue, or put back there by a replay. A job that has ended without a 200 runs again only for a message that was queued after its end; any other is answered 422. Without this header it runs again, unless it was given up.
         * @example 2026-11-27T09:00:00.000Z
         */
        readonly QueuedAt: components["schemas"]["QueuedAt"];
        /**
         * @description Names this attempt, and is never used again: `{org}.{job}.{uuid}`, where `{org}` is the organisation code, percent-encoded as by `encodeURIComponent` with `.` as `%2E`, `{job}` is `x-job-id`, each empty without its header, and `{uuid}` is in lower case. Like the other two headers, it is required once the gateway has a signing secret (Standard Webhooks 1.0.0), and not looked at before.
         * @example acme.0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11.7d4f5a2e-3c1b-4e0f-8a69-1b2c3d4e5f60
         */
        readonly WebhookId: string;
        /**
         * @description When the request was sent, in seconds since 1970; within 5 minutes of the gateway's clock
         * @example 1795305600
         */
        readonly WebhookTimestamp: string;
        /**
         * @description `v1,` and the base64 of an HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, the body byte for byte; several are separated by spaces, and one of them has to be right
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        readonly WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The job's id, given or derived; in each answer once a valid one was read. A proxy has to pass it on: an answer without the id that was sent is not the gateway's
         * @example 0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11
         */
        readonly JobId: components["schemas"]["JobId"];
        /**
         * @description Present when a stored outcome is replayed and nothing was run
         * @example true
         */
        readonly Replayed: "true";
        /**
         * @description Seconds to wait before trying again
         * @example 5
         */
        readonly RetryAfter: string;
        /**
         * @description How long the answer may be kept; `public, max-age=30` while backend-api gives no newer one
         * @example public, max-age=300
         */
        readonly CacheControl: string;
        /**
         * @description Seconds since backend-api gave this answer, while it gives no newer one
         * @example 12
         */
        readonly Age: string;
        /**
         * @description Changes whenever the content changes
         * @example "b1946ac92492d2347c6235b4d2611184"
         */
        readonly ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getJwks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Every key that is valid now; two during a rotation */
            readonly 200: {
                headers: {
                    readonly "Cache-Control": components["headers"]["CacheControl"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "alg": "RS256",
                     *           "kty": "RSA",
                     *           "use": "sig",
                     *           "kid": "2026-11",
                     *           "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs",
                     *           "e": "AQAB"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Jwks"];
                };
            };
            /** @description The key set has not changed since the ETag given in `If-None-Match` */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["UnusableTarget"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly generateDrivingReport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Identifies the job, so that a second delivery of it is recognised. Without it the job is identified by its content, while it runs and for ten minutes after. */
                readonly "x-job-id"?: components["parameters"]["JobId"];
                /** @description Organisation the job belongs to; without it nobody can poll its outcome */
                readonly "x-org-id"?: components["parameters"]["OrgId"];
                /**
                 * @description When the message was put into its queue, or put back there by a replay. A job that has ended without a 200 runs again only for a message that was queued after its end; any other is answered 422. Without this header it runs again, unless it was given up.
                 * @example 2026-11-27T09:00:00.000Z
                 */
                readonly "x-job-queued-at"?: components["parameters"]["QueuedAt"];
                /**
                 * @description Names this attempt, and is never used again: `{org}.{job}.{uuid}`, where `{org}` is the organisation code, percent-encoded as by `encodeURIComponent` with `.` as `%2E`, `{job}` is `x-job-id`, each empty without its header, and `{uuid}` is in lower case. Like the other two headers, it is required once the gateway has a signing secret (Standard Webhooks 1.0.0), and not looked at before.
                 * @example acme.0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11.7d4f5a2e-3c1b-4e0f-8a69-1b2c3d4e5f60
                 */
                readonly "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description When the request was sent, in seconds since 1970; within 5 minutes of the gateway's clock
                 * @example 1795305600
                 */
                readonly "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the base64 of an HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, the body byte for byte; several are separated by spaces, and one of them has to be right
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                readonly "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "date": "2026-11-20T00:00:00+09:00",
                 *       "drivers": [
                 *         {
                 *           "mobileId": "1",
                 *           "employeeCode": "E-1001",
                 *           "employeeName": "佐藤 健一"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["DrivingReportRequest"];
            };
        };
        readonly responses: {
            /** @description The job was handled; drivers without a page are named in `errorList` */
            readonly 200: {
                headers: {
                    readonly "x-job-id": components["headers"]["JobId"];
                    readonly "x-job-replayed": components["headers"]["Replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "driving-reports/org/acme/2026-11-20/0194a1f0.pdf",
                     *       "errorList": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DrivingReportReply"];
                };
            };
            readonly 400: components["responses"]["BadInput"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 409: components["responses"]["Running"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["OtherBody"];
            readonly 500: components["responses"]["Failed"];
            readonly 503: components["responses"]["ComeAgain"];
        };
    };
    readonly bulkOperationUserAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Identifies the job, so that a second delivery of it is recognised. Without it the job is identified by its content, while it runs and for ten minutes after. */
                readonly "x-job-id"?: components["parameters"]["JobId"];
                /** @description Organisation the job belongs to; without it nobody can poll its outcome */
                readonly "x-org-id"?: components["parameters"]["OrgId"];
                /**
                 * @description When the message was put into its queue, or put back there by a replay. A job that has ended without a 200 runs again only for a message that was queued after its end; any other is answered 422. Without this header it runs again, unless it was given up.
                 * @example 2026-11-27T09:00:00.000Z
                 */
                readonly "x-job-queued-at"?: components["parameters"]["QueuedAt"];
                /**
                 * @description Names this attempt, and is never used again: `{org}.{job}.{uuid}`, where `{org}` is the organisation code, percent-encoded as by `encodeURIComponent` with `.` as `%2E`, `{job}` is `x-job-id`, each empty without its header, and `{uuid}` is in lower case. Like the other two headers, it is required once the gateway has a signing secret (Standard Webhooks 1.0.0), and not looked at before.
                 * @example acme.0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11.7d4f5a2e-3c1b-4e0f-8a69-1b2c3d4e5f60
                 */
                readonly "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description When the request was sent, in seconds since 1970; within 5 minutes of the gateway's clock
                 * @example 1795305600
                 */
                readonly "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the base64 of an HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, the body byte for byte; several are separated by spaces, and one of them has to be right
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                readonly "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example [
                 *       {
                 *         "type": 0,
                 *         "userAccountInput": {
                 *           "loginId": "tanaka",
                 *           "password": "correct-horse",
                 *           "name": "田中 直樹",
                 *           "isAdmin": false
                 *         }
                 *       },
                 *       {
                 *         "type": 2,
                 *         "userAccountInput": {
                 *           "loginId": "otp"
                 *         }
                 *       }
                 *     ]
                 */
                readonly "application/json": components["schemas"]["BulkUserAccountRequest"];
            };
        };
        readonly responses: {
            /** @description The job was handled; failures of items are inside the body */
            readonly 200: {
                headers: {
                    readonly "x-job-id": components["headers"]["JobId"];
                    readonly "x-job-replayed": components["headers"]["Replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BulkUserAccountReply"];
                };
            };
            readonly 400: components["responses"]["BadInput"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 409: components["responses"]["Running"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["OtherBody"];
            readonly 500: components["responses"]["Failed"];
            readonly 503: components["responses"]["ComeAgain"];
        };
    };
    readonly bulkUpdateMobile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Identifies the job, so that a second delivery of it is recognised. Without it the job is identified by its content, while it runs and for ten minutes after. */
                readonly "x-job-id"?: components["parameters"]["JobId"];
                /** @description Organisation the job belongs to; without it nobody can poll its outcome */
                readonly "x-org-id"?: components["parameters"]["OrgId"];
                /**
                 * @description When the message was put into its queue, or put back there by a replay. A job that has ended without a 200 runs again only for a message that was queued after its end; any other is answered 422. Without this header it runs again, unless it was given up.
                 * @example 2026-11-27T09:00:00.000Z
                 */
                readonly "x-job-queued-at"?: components["parameters"]["QueuedAt"];
                /**
                 * @description Names this attempt, and is never used again: `{org}.{job}.{uuid}`, where `{org}` is the organisation code, percent-encoded as by `encodeURIComponent` with `.` as `%2E`, `{job}` is `x-job-id`, each empty without its header, and `{uuid}` is in lower case. Like the other two headers, it is required once the gateway has a signing secret (Standard Webhooks 1.0.0), and not looked at before.
                 * @example acme.0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11.7d4f5a2e-3c1b-4e0f-8a69-1b2c3d4e5f60
                 */
                readonly "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description When the request was sent, in seconds since 1970; within 5 minutes of the gateway's clock
                 * @example 1795305600
                 */
                readonly "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the base64 of an HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, the body byte for byte; several are separated by spaces, and one of them has to be right
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                readonly "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example [
                 *       {
                 *         "id": 1,
                 *         "num": "M-0001",
                 *         "name": "Truck 1",
                 *         "tagIds": [
                 *           1,
                 *           2
                 *         ]
                 *       }
                 *     ]
                 */
                readonly "application/json": components["schemas"]["BulkMobileRequest"];
            };
        };
        readonly responses: {
            /** @description The job was handled; failures of items are inside the body */
            readonly 200: {
                headers: {
                    readonly "x-job-id": components["headers"]["JobId"];
                    readonly "x-job-replayed": components["headers"]["Replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BulkMobileReply"];
                };
            };
            readonly 400: components["responses"]["BadInput"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 409: components["responses"]["Running"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["OtherBody"];
            readonly 500: components["responses"]["Failed"];
            readonly 503: components["responses"]["ComeAgain"];
        };
    };
    readonly getReadiness: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Answers `NG` with 503 if it is `true`
                 * @example true
                 */
                readonly strict?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state of every dependency, of every store and of the gateway itself */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Status": "OK",
                     *       "Items": {
                     *         "geo-api": "OK",
                     *         "backend-api": "OK",
                     *         "voip-api": "OK"
                     *       },
                     *       "Stores": {
                     *         "job-store": "OK",
                     *         "queue": "OK",
                     *         "object-store": "OK"
                     *       },
                     *       "Gateway": "OK"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            readonly 400: components["responses"]["UnusableTarget"];
            /** @description A dependency or a store is `NG` and `strict=true` was asked for, or the gateway is starting or shutting down */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Status": "NG",
                     *       "Items": {
                     *         "geo-api": "OK",
                     *         "backend-api": "OK",
                     *         "voip-api": "OK"
                     *       },
                     *       "Stores": {
                     *         "job-store": "OK",
                     *         "queue": "OK",
                     *         "object-store": "OK"
                     *       },
                     *       "Gateway": "STARTING"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    readonly getLiveness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The service answers */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Status": "OK"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Liveness"];
                };
            };
            readonly 400: components["responses"]["UnusableTarget"];
        };
    };
    readonly downloadFile: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description End of validity, milliseconds since 1970
                 * @example 1795305600000
                 */
                readonly exp: string;
                /**
                 * @description Signature of key and end of validity
                 * @example Y0nDAzrPz5jB3ptAbbDGyOcJS6XpmQjO3pUVXzoHXbA
                 */
                readonly sig: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description Object key; its slashes are part of the path
                 * @example driving-reports/org/acme/2026-11-20/0194a1f0-7c3e-7b1a-9d55-0f6c2f6f1c11.pdf
                 */
                readonly key: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The object */
            readonly 200: {
                headers: {
                    /**
                     * @description Always an attachment
                     * @example attachment; filename="driving-report-2026-11-20-0193442e-5a80-7cc3-8f0e-2b1d6d6f7a10.pdf"
                     */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": unknown;
                    readonly "text/csv": unknown;
                };
            };
            readonly 400: components["responses"]["UnusableTarget"];
            readonly 403: components["responses"]["LinkRefused"];
            readonly 404: components["responses"]["NotFound"];
            readonly 503: components["responses"]["TooManyDownloads"];
        };
    };
}

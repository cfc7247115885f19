// Generated from ./openapi/voip-api.yaml; run `npm run codegen` instead of editing.
export interface paths {
    readonly "/v1/presence": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Voice presence of mobiles */
        readonly get: operations["getPresence"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
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
        readonly Presences: {
            readonly items: readonly components["schemas"]["Presence"][];
        };
        readonly Presence: {
            readonly mobileId: number;
            readonly online: boolean;
            readonly talkGroup: string | null;
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
                 *       "message": "Too many mobiles."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getPresence: {
        readonly parameters: {
            readonly query: {
                /**
                 * @example [
                 *       1,
                 *       2
                 *     ]
                 */
                readonly mobileIds: readonly number[];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One entry per known mobile, in any order */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "mobileId": 1,
                     *           "online": true,
                     *           "talkGroup": "東京"
                     *         },
                     *         {
                     *           "mobileId": 2,
                     *           "online": false,
                     *           "talkGroup": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Presences"];
                };
            };
            readonly "4XX": components["responses"]["Failure"];
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

// Generated from ./openapi/geo-api.yaml; run `npm run codegen` instead of editing.
export interface paths {
    readonly "/v1/reverse-geocode": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Addresses of points, in the order of the points */
        readonly post: operations["reverseGeocode"];
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
        readonly Points: {
            readonly points: readonly components["schemas"]["Point"][];
        };
        readonly Point: {
            readonly lat: number;
            readonly lng: number;
        };
        readonly Addresses: {
            readonly addresses: readonly components["schemas"]["Address"][];
        };
        /** @description null where no address is known */
        readonly Address: string | null;
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
                 *       "message": "Too many points."
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
    readonly reverseGeocode: {
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
                 *       "points": [
                 *         {
                 *           "lat": 35.6812,
                 *           "lng": 139.7671
                 *         },
                 *         {
                 *           "lat": 0,
                 *           "lng": 0
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["Points"];
            };
        };
        readonly responses: {
            /** @description One entry per point; null where no address is known */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addresses": [
                     *         "東京都千代田区丸の内1丁目9",
                     *         null
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Addresses"];
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

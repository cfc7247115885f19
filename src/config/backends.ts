import type { Reader } from './environment.js';

/** Where the backends are, or that the built-in sandbox stands in for them. */
export type BackendsConfig =
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'urls'; readonly backendApi: string; readonly geoApi: string; readonly voipApi: string };

/** All three, or none: then the sandbox is used, but never in production. */
export function readBackends({ values, isSet, fault, gatewayInProduction }: Reader): BackendsConfig {
  const { BACKEND_API_URL: backendApi, GEO_API_URL: geoApi, VOIP_API_URL: voipApi } = values;
  if (backendApi !== undefined && geoApi !== undefined && voipApi !== undefined) {
    return { kind: 'urls', backendApi, geoApi, voipApi };
  }
  const names = ['BACKEND_API_URL', 'GEO_API_URL', 'VOIP_API_URL'] as const;
  const unset = names.filter((name) => !isSet(name));
  if (gatewayInProduction) {
    for (const name of unset) fault(`${name} is required in production; the sandbox is not for production.`);
  } else if (unset.length > 0 && unset.length < names.length) {
    fault(`Set all of ${names.join(', ')}, or none to use the sandbox; missing: ${unset.join(', ')}.`);
  }
  return { kind: 'sandbox' };
}

/** Whose tokens are accepted; the sandbox's own when it is used. */
export function readIssuers({ values, isSet, fault, gatewayInProduction }: Reader): readonly string[] | undefined {
  const issuers = values.TOKEN_ISSUSERS;
  if (issuers?.length === 0) fault('TOKEN_ISSUSERS must name at least one issuer.');
  if (issuers === undefined && (gatewayInProduction || isSet('BACKEND_API_URL'))) {
    fault('TOKEN_ISSUSERS is required, comma-separated, unless the sandbox is used.');
  }
  return issuers;
}

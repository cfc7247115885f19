/** A program that is measured. */
export interface Server {
  readonly label: string;
  /** The built gateway, or a program of `test/bench/programs/`. */
  readonly program: 'gateway' | 'mercurius' | 'floor' | 'bulk-loop';
  /** Beside what every server of the run is told. */
  readonly env?: Readonly<Record<string, string>>;
  /** Jobs in `DATA_DIR` even where there is Redis. */
  readonly embedded?: boolean;
  /** True for the gateway of the other checkout that a run compares with. */
  readonly isOfOtherCheckout?: boolean;
}

export type ServerName =
  | 'gateway'
  | 'gateway-cached'
  | 'gateway-measured'
  | 'gateway-embedded'
  | 'gateway-of-other-checkout'
  | 'gateway-again'
  | 'mercurius'
  | 'mercurius-log'
  | 'mercurius-kept-key'
  | 'floor'
  | 'floor-log'
  | 'floor-remembers'
  | 'bulk-loop';

export const SERVERS: Readonly<Record<ServerName, Server>> = {
  gateway: { label: 'this gateway', program: 'gateway' },
  'gateway-cached': {
    label: 'this gateway with keys kept for 60 s',
    program: 'gateway',
    env: { PUBLIC_KEY_MAX_AGE_SECONDS: '60' },
  },
  'gateway-measured': { label: 'this gateway with METRICS_PORT', program: 'gateway', env: { METRICS_PORT: '0' } },
  'gateway-embedded': { label: 'this gateway with jobs in SQLite', program: 'gateway', embedded: true },
  'gateway-of-other-checkout': { label: 'the other checkout', program: 'gateway', isOfOtherCheckout: true },
  'gateway-again': { label: 'this gateway again, as a control', program: 'gateway' },
  mercurius: { label: 'Mercurius (jit)', program: 'mercurius' },
  'mercurius-log': { label: 'Mercurius with an access log', program: 'mercurius', env: { ACCESS_LOG: '1' } },
  'mercurius-kept-key': {
    label: 'Mercurius that imports each key once',
    program: 'mercurius',
    env: { KEEP_KEYS: '1' },
  },
  floor: { label: 'reference: node:http by hand', program: 'floor' },
  'floor-log': { label: 'node:http by hand with an access log', program: 'floor', env: { ACCESS_LOG: '1' } },
  'floor-remembers': { label: 'reference with cached tokens', program: 'floor', env: { REMEMBER: '1' } },
  'bulk-loop': { label: 'reference: a loop of PATCH calls', program: 'bulk-loop' },
};

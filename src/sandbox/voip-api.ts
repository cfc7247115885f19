import type { operations } from '../../generated/voip-api.js';
import type { BackendOptions } from './backend-server.js';
import type { Handlers } from './operation-types.js';
import { randomFrom } from './seed/random.js';
import { serviceIdentification, type ServiceKeys } from './service-callers.js';

type Presence = operations['getPresence']['responses'][200]['content']['application/json']['items'][number];

const TALK_GROUPS = ['第1グループ', '第2グループ', '夜間', 'Dispatch'] as const;

export interface VoipParts {
  readonly keys: ServiceKeys;
  readonly port: number;
  /** Returns whether a mobile exists. */
  readonly isMobile: (mobileId: number) => boolean;
}

/** Builds the voice service; presence depends only on the mobile. Every 17th mobile has no voice account. */
export function voipApi({ keys, port, isMobile }: VoipParts): BackendOptions {
  const handlers: Handlers<operations, keyof operations, undefined> = {
    getPresence: ({ query }) => {
      const known = [...new Set(query.mobileIds)].filter((id) => isMobile(id) && id % 17 !== 0);
      return { status: 200, body: { items: known.map(presenceOf) } };
    },
    getHealth: () => ({ status: 200, body: undefined }),
  };
  return {
    name: 'voip-api',
    port,

    handlers,
    identify: serviceIdentification(keys),
  };
}

function presenceOf(mobileId: number): Presence {
  const random = randomFrom(`presence/${mobileId}`);
  const talkGroup = random.chance(0.2) ? null : random.pick(TALK_GROUPS);
  return { mobileId, online: random.chance(0.7), talkGroup };
}

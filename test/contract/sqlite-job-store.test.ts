import { describe } from '@jest/globals';

import { openEmbedded } from './embedded.js';
import { jobStoreContract } from './job-store-contract.js';

describe('The job store on SQLite', () => jobStoreContract(() => openEmbedded()));

import { describe } from '@jest/globals';

import { openEmbedded } from './embedded.js';
import { jobQueueContract } from './job-queue-contract.js';

describe('The job queue on SQLite', () => jobQueueContract(() => openEmbedded()));

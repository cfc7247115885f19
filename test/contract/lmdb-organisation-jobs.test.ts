import { describe } from '@jest/globals';
import { openEmbedded } from './embedded.js';
import { organisationJobsContract } from './organisation-jobs-contract.js';

describe('The jobs of organisations on LMDB', () => organisationJobsContract(openEmbedded));

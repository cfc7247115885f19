import { describe } from '@jest/globals';
import { openEmbedded } from './embedded.js';
import { manyJobsContract } from './many-jobs-contract.js';
import { organisationJobsContract } from './organisation-jobs-contract.js';

describe('The jobs of organisations on SQLite', () => {
  organisationJobsContract(openEmbedded);
  describe('when there are many', () => manyJobsContract(openEmbedded));
});

import { configOf } from './config-of.js';

export default configOf('gateway/auth', ['test/unit/auth/*.test.ts', 'test/security/jose-vectors.test.ts']);

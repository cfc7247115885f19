import { describe } from '@jest/globals';
import { killedGateways } from './killed-gateways.js';

describe('Gateways on SQLite', () => killedGateways('SQLite'));

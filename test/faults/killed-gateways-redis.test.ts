import { describeWith } from '../support/system-tools.js';
import { killedGateways } from './killed-gateways.js';

describeWith(['redis-server'], 'Gateways on Redis', () => killedGateways('Redis'));

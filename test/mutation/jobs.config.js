import { configOf } from './config-of.js';

export default configOf('jobs', ['test/unit/jobs/*.test.ts'], '{*.ts,{kinds,run}/**/*.ts}');

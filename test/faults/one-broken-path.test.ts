/** One way through a gateway is broken while all others work: dashboard, alerts and log name it. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, it } from '@jest/globals';
import type { Faults } from '../../src/sandbox/faults.js';
import { startTestGateway } from '../support/gateway.js';
import { createAccount, DRIVING_REPORT, jobHeaders, reportOf, USER_ACCOUNTS } from '../support/job-requests.js';
import { OperatorsView, type Signs } from './operators-view.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

type Rule = Parameters<Faults['set']>[0];

/** Shown over half an hour, these are more than the least number of each alert. */
const TIMES = 20;

describeWith(['promtool'], 'a gateway', () => {
  const gateway = forAllTests(() => startTestGateway({ METRICS_PORT: '0', LOGIN_RATE_PER_MINUTE: '1000' }));
  const view = forAllTests(() => OperatorsView.open(gateway));
  beforeEach(() => view.begin());
  afterEach(() => gateway.sandbox.faults.clear());

  const each = async (work: (index: number) => Promise<unknown>): Promise<void> => {
    for (let index = 0; index < TIMES; index += 1) await work(index);
  };
  const everythingElse = async (): Promise<void> => {
    const bearer = await gateway.bearer();
    const some = () =>
      Promise.all(Array.from({ length: 20 }, () => gateway.graphql('query Me { me { Org } }', {}, bearer)));
    // All at once, their calls would take seconds on a busy machine, which is another alert.
    for (let count = 0; count < 10; count += 1) await some();
  };
  const LOG_IN = 'mutation LogIn($id: String!) { userLogin(loginId: $id, password: "demo-password") { otpRequired } }';
  const broken = (operation: string): Rule => ({ operation, fault: { kind: 'garbage' } });

  it.each<{ path: string; rule: Rule; work: (index: number) => Promise<unknown>; signs: Omit<Signs, 'down'> }>([
    {
      path: 'nobody can log in',
      rule: broken('login'),
      work: (index) => gateway.graphql(LOG_IN, { id: `user-${index}` }),
      signs: {
        alerts: ['LogInFails', 'BackendCallsFail'],
        panels: [['Calls by outcome', { backend: 'backend-api', outcome: 'odd' }]],
        log: [['backend.contract_broken', /"call":"login"/]],
      },
    },
    {
      path: 'no account can be made',
      rule: broken('createUserAccount'),
      work: (index) => gateway.callback(USER_ACCOUNTS, [createAccount(`new-${index}`)], jobHeaders(randomUUID())),
      signs: {
        alerts: ['BackendCallBroken', 'BackendCallsFail', 'JobKindFails'],
        panels: [['Runs by outcome', { kind: 'user-accounts', outcome: 'nothing_done' }]],
        log: [['backend.contract_broken', /"call":"createUserAccount"/]],
      },
    },
    {
      path: 'every report fails',
      rule: broken('getDrivingRecord'),
      work: () => gateway.callback(DRIVING_REPORT, reportOf(1), jobHeaders(randomUUID())),
      signs: {
        alerts: ['BackendCallBroken', 'BackendCallsFail', 'JobKindFails'],
        panels: [['Runs by outcome', { kind: 'driving-reports', outcome: 'nothing_done' }]],
        log: [['backend.contract_broken', /"call":"getDrivingRecord"/]],
      },
    },
  ])('of which $path is known by that', async ({ rule, work, signs }) => {
    gateway.sandbox.faults.set(rule);
    await Promise.all([everythingElse(), each(work)]);
    await view.expectToShow({ ...signs, down: [] });
  });
});

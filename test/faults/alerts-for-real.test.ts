/** Outages of a gateway as a real Prometheus, Alertmanager and blackbox exporter with the shipped files tell them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { alertRules } from '../support/alert-rules.js';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { freePorts, type ChildProgram } from '../support/child-program.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { Monitoring } from './monitoring.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

const EVERY_MS = 15;

/** More than one operation in each second of an hour, below which nobody is told that traffic stops. */
const REQUESTS_OF_AN_HOUR = 4_500;

it('The inhibitions name alerts that exist', () => {
  const file = readFileSync(path.join(ROOT, 'deploy/alertmanager.yaml'), 'utf8');
  const named = [...file.matchAll(/alertname=~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|'));
  expect(named.length).toBeGreaterThan(40);
  const known = alertRules().map(({ alert }) => alert);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

describeWith(
  ['prometheus', 'prometheus-alertmanager', 'prometheus-blackbox-exporter'],
  'the person on call, with a real Prometheus,',
  () => {
    const programs = forAllTests(() => BuiltPrograms.open());
    const backends = forAllTests(startBackends);
    const files = forAllTests(temporaryDirectory);
    let gateway: ChildProgram;
    const startGateway = async (): Promise<void> => {
      gateway = await programs.startGateway({
        ...productionAt(backends),
        DATA_DIR: path.join(files.path, 'data'),
        PORT: String(site.ports[0]),
        METRICS_PORT: String(site.ports[1]),
        LOGIN_RATE_PER_MINUTE: '100000',
      });
    };
    const site = forAllTests(async () => ({ ports: await freePorts(2), url: '' }));
    /** The way from outside. */
    const balancer = forAllTests(() => startTcpProxy(site.ports[0] ?? 0));
    const monitoring = forAllTests(async () => {
      await startGateway();
      const metrics = `127.0.0.1:${site.ports[1]}`;
      return Monitoring.open(files.path, { url: `http://127.0.0.1:${balancer.port}`, metrics });
    });
    /** Users, who go on asking whatever happens. */
    const users = forAllTests(
      async () => {
        const bearer = `Bearer ${await backends.mintToken()}`;
        const traffic = { everything: true, logIns: true, answered: 0 };
        const ask = graphqlAt(`http://127.0.0.1:${site.ports[0]}`);
        const answered = (): number => (traffic.answered += 1);
        const logIn = 'mutation LogIn($id: String!) { userLogin(loginId: $id, password: "no") { otpRequired } }';
        const begun = performance.now();
        let count = 0;
        // 1,200 operations in what is ten minutes here, and 200 log-ins. A busy machine sends what is due together.
        const timer = setInterval(() => {
          for (; count < (performance.now() - begun) / EVERY_MS; count += 1) {
            if (traffic.everything) void ask('query Me { me { Org } }', {}, bearer).then(answered, () => undefined);
            if (traffic.logIns && count % 6 === 0) void ask(logIn, { id: `user-${count}` }).catch(() => undefined);
          }
        }, EVERY_MS);
        return { traffic, timer };
      },
      ({ timer }) => clearInterval(timer),
    );

    const paged = (name: string): Promise<boolean> =>
      waitFor(`the page of ${name}`, () => monitoring.pages.includes(name));
    const heldBack = (...names: readonly string[]): Promise<unknown> =>
      waitFor(`${names.join(' and ')} to be held back`, async () => {
        const suppressed = await monitoring.suppressed();
        return names.every((name) => suppressed.includes(name));
      });

    beforeEach(() => monitoring.settle());
    afterEach(() => backends.faults.clear());

    it('is not woken while all is well', async () => {
      await waitFor('the probe from outside', () => monitoring.isReachable());
      expect([users.traffic.everything, monitoring.pages]).toEqual([true, []]);
    });

    it('is told that nobody can log in, beside many operations that succeed', async () => {
      backends.faults.set({ operation: 'login', fault: { kind: 'garbage' } });
      await paged('LogInFails');
      await heldBack('BackendCallsFail');
      expect(new Set(monitoring.pages)).toEqual(new Set(['LogInFails']));
    });

    it('is told once of a backend that is down, and not of its consequences', async () => {
      backends.faults.set({ backend: 'backend-api', fault: { kind: 'down' } });
      await paged('BackendApiDown');
      await heldBack('LogInFails', 'KeyFetchFails', 'RequestsFail');
      expect(new Set(monitoring.pages)).toEqual(new Set(['BackendApiDown']));
    });

    it('is not woken by a health check that fails alone', async () => {
      backends.faults.set({ operation: 'getHealth', backend: 'backend-api', fault: { kind: 'status', status: 500 } });
      await waitFor('the warning', async () => (await monitoring.alerts('warning')).includes('BackendHealthWrong'));
      expect(monitoring.pages).toEqual([]);
    });

    it('is told that traffic stops', async () => {
      await waitFor('the requests of an hour', () => users.traffic.answered > REQUESTS_OF_AN_HOUR);
      users.traffic.everything = users.traffic.logIns = false;
      await paged('TrafficStopped');
      expect(new Set(monitoring.pages)).toEqual(new Set(['TrafficStopped']));
      users.traffic.everything = users.traffic.logIns = true;
    });

    it('is told that nothing arrives from outside, although the gateway is well', async () => {
      await balancer.shut();
      await paged('Unreachable');
      expect(new Set(monitoring.pages)).toEqual(new Set(['Unreachable']));
      await balancer.reopen();
    });

    it('is told once that no gateway is there, and not that none answers', async () => {
      await gateway.kill();
      await paged('NoGateway');
      await heldBack('ProgramDown', 'Unreachable');
      expect(new Set(monitoring.pages)).toEqual(new Set(['NoGateway']));
    });
  },
);

/** Outages of a gateway as a real Prometheus, Alertmanager and blackbox exporter with the shipped files tell them. */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { alertRules } from '../support/alert-rules.js';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { serveOnLoopback } from '../support/loopback.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

const EVERY_MS = 15;

/** More than one operation in each second of an hour, below which nobody is told that traffic stops. */
const REQUESTS_OF_AN_HOUR = 4_500;

/** Seconds that stand for a minute of the shipped files. */
const SECONDS_A_MINUTE = 2;

/**
 * Seconds between scrapes, and between probes from outside. A busy machine is not thirty times faster, so they are more
 * than a thirtieth of the shipped ones: each may take as long, and several in turn have to fail before somebody is paged.
 */
const [SCRAPE_SECONDS, PROBE_SECONDS] = [1, 2];

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
}

/** Prometheus, Alertmanager and the blackbox exporter with the shipped files, in which time goes thirty times faster. */
class Monitoring {
  readonly #programs: ChildProgram[] = [];
  readonly #pages: string[] = [];
  #close: () => Promise<void> = () => Promise.resolve();
  #prometheus = '';
  #alertmanager = '';

  /** Starts them. @param directory takes their files @param gateway its own address, and that of its metrics */
  static async open(
    directory: string,
    gateway: { readonly url: string; readonly metrics: string },
  ): Promise<Monitoring> {
    const monitoring = new Monitoring();
    await monitoring.#start(directory, gateway);
    return monitoring;
  }

  /** Alerts that have paged, each as often as it did. */
  get pages(): readonly string[] {
    return this.#pages;
  }

  /** Forgets the pages so far, once no alert that pages fires any more. */
  async settle(): Promise<void> {
    await waitFor('all to be well', async () => {
      const { data } = (await this.#ask(`${this.#prometheus}/api/v1/alerts`)) as { data: { alerts: Alert[] } };
      return data.alerts.every(({ labels }) => labels['severity'] !== 'critical');
    });
    await waitFor('no notification', async () => (await this.alerts('critical')).length === 0);
    this.#pages.length = 0;
  }

  async isReachable(): Promise<boolean> {
    const query = 'probe_success == 1';
    const reply = await this.#ask(`${this.#prometheus}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
    return (reply as { data: { result: unknown[] } }).data.result.length > 0;
  }

  /** Names of the alerts that Alertmanager holds back because of another one. */
  async suppressed(): Promise<readonly string[]> {
    const alerts = (await this.#ask(`${this.#alertmanager}/api/v2/alerts?active=false`)) as Alert[];
    return alerts.map(({ labels: { alertname = '' } }) => alertname);
  }

  /** Names of all alerts of a severity that Alertmanager knows. */
  async alerts(severity: 'critical' | 'warning'): Promise<readonly string[]> {
    const alerts = (await this.#ask(`${this.#alertmanager}/api/v2/alerts`)) as Alert[];
    return alerts.flatMap(({ labels: { alertname = '', severity: is } }) => (is === severity ? alertname : []));
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill()));
    await this.#close();
  }

  async #start(directory: string, { url, metrics }: { readonly url: string; readonly metrics: string }): Promise<void> {
    const pager = await serveOnLoopback((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { status, commonLabels } = JSON.parse(body) as { status: string; commonLabels: Alert['labels'] };
        if (status === 'firing') this.#pages.push(commonLabels['alertname'] ?? '');
        response.end();
      });
    });
    this.#close = () => pager.close();
    const [prometheus = 0, alertmanager = 0, blackbox = 0] = await freePorts(3);
    this.#prometheus = `http://127.0.0.1:${prometheus}`;
    this.#alertmanager = `http://127.0.0.1:${alertmanager}`;
    const write = async (name: string, content: object): Promise<string> => {
      await writeFile(path.join(directory, name), stringify(content));
      return path.join(directory, name);
    };
    const read = async (name: string): Promise<never> =>
      parse(await readFile(path.join(ROOT, 'deploy', name), 'utf8')) as never; // as each caller says

    const notifications: { route: object; receivers: { name: string }[]; inhibit_rules: object } =
      await read('alertmanager.yaml');
    const call = [{ url: `http://127.0.0.1:${pager.port}` }];
    const receivers = notifications.receivers.map(({ name }) =>
      name === 'person-on-call' ? { name, webhook_configs: call } : { name },
    );
    const route = parse(quicker(stringify(notifications.route))) as object; // the same, quicker
    const alertmanagerFile = await write('alertmanager.yaml', { ...notifications, route, receivers });

    const rules = alertRules().map((rule) => ({
      ...rule,
      expr: quicker(rule.expr),
      ...(rule.for !== undefined && { for: quicker(rule.for) }),
    }));
    await write('alerts.yaml', { groups: [{ name: 'quicker', rules }] });
    const [gateways, functions, probe]: { relabel_configs: object[] }[] = (
      (await read('prometheus.yaml')) as { scrape_configs: never }
    ).scrape_configs;
    const scraped = { ...gateways, dns_sd_configs: [], static_configs: [{ targets: [metrics] }] };
    const probed = {
      ...probe,
      scrape_interval: `${PROBE_SECONDS}s`,
      static_configs: [{ targets: [`${url}/graphql`] }],
      relabel_configs: [
        ...(probe?.relabel_configs.slice(0, -1) ?? []),
        { target_label: '__address__', replacement: `127.0.0.1:${blackbox}` },
      ],
    };
    const prometheusFile = await write('prometheus.yaml', {
      global: { scrape_interval: `${SCRAPE_SECONDS}s`, evaluation_interval: '500ms' },
      rule_files: ['alerts.yaml'],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanager}`] }] }] },
      scrape_configs: [scraped, { ...functions, dns_sd_configs: [] }, probed],
    });

    const start = async (name: string, args: readonly string[], port: number): Promise<void> => {
      const program = await startProgram(name, {
        args: [...args, `--web.listen-address=127.0.0.1:${port}`],
        logFile: path.join(directory, `${name}.log`),
      });
      this.#programs.push(program);
      await waitFor(name, async () => {
        if (!program.isRunning()) throw new Error(await program.output());
        // Until Prometheus is ready, it answers 503 to what is asked of it.
        const reply = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined);
        return reply !== undefined && reply.status !== 503;
      });
    };
    const shippedProbe = path.join(ROOT, 'deploy/blackbox.yaml');
    // By default, it takes half a second of the time limit of a scrape, which is a quarter of it here.
    const probing = [`--config.file=${shippedProbe}`, '--timeout-offset=0.1'];
    await start('prometheus-blackbox-exporter', probing, blackbox);
    const storage = `--storage.path=${path.join(directory, 'alertmanager')}`;
    const notify = [`--config.file=${alertmanagerFile}`, storage, '--cluster.listen-address='];
    await start('prometheus-alertmanager', notify, alertmanager);
    const data = `--storage.tsdb.path=${path.join(directory, 'prometheus')}`;
    await start('prometheus', [`--config.file=${prometheusFile}`, data], prometheus);
  }

  async #ask(url: string): Promise<unknown> {
    return (await fetch(url)).json();
  }
}

/** Shortens each duration in minutes, hours or days. */
function quicker(text: string): string {
  const minutes = { m: 1, h: 60, d: 1_440 };
  return text.replaceAll(
    /\b(\d+)([mhd])\b/g,
    (_all, count: string, unit: keyof typeof minutes) => `${Number(count) * minutes[unit] * SECONDS_A_MINUTE}s`,
  );
}

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

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { alertRules } from '../support/alert-rules.js';
import { ROOT } from '../support/built-programs.js';
import { freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { serveOnLoopback } from '../support/loopback.js';
import { waitFor } from '../support/wait-for.js';

/** Seconds that stand for a minute of the shipped files: their 15 s between scrapes are half a second here. */
const SECONDS_A_MINUTE = 2;

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
}

/** Prometheus, Alertmanager and the blackbox exporter with the shipped files, in which time goes thirty times faster. */
export class Monitoring {
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
      static_configs: [{ targets: [`${url}/graphql`] }],
      relabel_configs: [
        ...(probe?.relabel_configs.slice(0, -1) ?? []),
        { target_label: '__address__', replacement: `127.0.0.1:${blackbox}` },
      ],
    };
    const prometheusFile = await write('prometheus.yaml', {
      global: { scrape_interval: '500ms', evaluation_interval: '500ms' },
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
    // By default, it takes half a second of the time limit of a scrape, which is all of it here.
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

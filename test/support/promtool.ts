import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { alertRules } from './alert-rules.js';
import type { Scrape } from './scraped-metrics.js';

const run = promisify(execFile);

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Series with their values, one a minute: `1x30` stays, `0+6x30` grows by 6 (Prometheus, "Unit testing for rules"). */
export type MadeSeries = Readonly<Record<string, string>>;

/** An expression, and all that it must come to. */
export interface ExpectedQuery {
  readonly expr: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

/** Series, and the alerts that fire after them. */
export interface AlertCase {
  readonly series: MadeSeries;
  readonly fires: Readonly<Record<string, boolean>>;
  readonly queries?: readonly ExpectedQuery[];
  /** Minutes after the start of the series; 30 by default. */
  readonly atMinute?: number;
}

/** Prometheus, as far as its `promtool` goes (Debian package `prometheus`). */
export class Promtool {
  readonly #directory: string;
  #files = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async open(): Promise<Promtool> {
    return new Promtool(await mkdtemp(path.join(tmpdir(), 'gateway-promtool-')));
  }

  /**
   * Looks which alerts of `deploy/alerts.yaml` fire after some series, and what queries come to.
   *
   * @returns differences from what is expected; empty without any
   */
  async faultsOf(...cases: readonly AlertCase[]): Promise<string> {
    const tests = cases.map(({ series, fires, queries = [], atMinute = 30 }) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([each, values]) => ({ series: each, values })),
      promql_expr_test: [
        ...Object.entries(fires).map(([name, does]) => ({
          expr: `count by (alertname) (ALERTS{alertname="${name}",alertstate="firing"}) > bool 0`,
          samples: does ? [{ labels: `{alertname="${name}"}`, value: 1 }] : [],
        })),
        ...queries,
      ].map(({ expr, samples }) => ({ expr, eval_time: `${atMinute}m`, exp_samples: samples })),
    }));
    // Only the alerts that are asked for, because each of them is evaluated for each minute.
    const rules = alertRules().filter(({ alert }) => cases.some(({ fires }) => Object.hasOwn(fires, alert)));
    const ruleFile = await this.#write({ groups: [{ name: 'tried', rules }] });
    const file = await this.#write({ rule_files: [ruleFile], evaluation_interval: '1m', tests });
    return run('promtool', ['test', 'rules', file]).then(
      () => '',
      (error: unknown) => String(error),
    );
  }

  /** Returns the alerts of `deploy/alerts.yaml` that fired at any time up to a minute of some series, by name. */
  async firedIn(series: MadeSeries, untilMinute: number): Promise<readonly string[]> {
    const rules = alertRules();
    const ruleFile = await this.#write({ groups: [{ name: 'tried', rules }] });
    // One query for each hour, because promtool limits the samples of a query.
    const expr = 'count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[1h]))';
    const hours = Array.from({ length: Math.ceil(untilMinute / 60) }, (_, hour) =>
      Math.min(60 * (hour + 1), untilMinute),
    );
    const file = await this.#write({
      rule_files: [ruleFile],
      // Half of the minutes, because a week has many.
      evaluation_interval: '2m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([each, values]) => ({ series: each, values })),
          // No value is right, so that promtool shows all.
          promql_expr_test: hours.map((minute) => ({ expr, eval_time: `${minute}m`, exp_samples: [] })),
        },
      ],
    });
    const shown = await run('promtool', ['test', 'rules', file], { maxBuffer: MAX_OUTPUT_BYTES }).then(
      () => '',
      (error: unknown) => String(error),
    );
    const names = [...shown.matchAll(/\{alertname=\\?"(\w+)\\?"\}/g)].map(([, name = '']) => name);
    return [...new Set(names)].sort();
  }

  /** Has expressions read. @throws {Error} what is wrong with them */
  async checkExpressions(expressions: readonly string[]): Promise<void> {
    const rules = expressions.map((expr, index) => ({ record: `made:${index}`, expr }));
    await run('promtool', ['check', 'rules', await this.#write({ groups: [{ name: 'made', rules }] })]);
  }

  /** Has a configuration read, with the rules that it names. @throws {Error} what is wrong with it */
  async checkConfiguration(file: URL): Promise<void> {
    await run('promtool', ['check', 'config', fileURLToPath(file)]);
  }

  /** Removes its files. */
  async close(): Promise<void> {
    await rm(this.#directory, { recursive: true });
  }

  async #write(content: object): Promise<string> {
    this.#files += 1;
    const file = path.join(this.#directory, `${this.#files}.yaml`);
    await writeFile(file, stringify(content));
    return file;
  }
}

/** Makes series of operations and calls that grow each minute by all that a scrape shows, as if that went on. */
export function everyMinute({ samples }: Pick<Scrape, 'samples'>): MadeSeries {
  const counted = samples.filter(({ name }) => /^gateway_(graphql|backend)_.*_(count|bucket|total)$/.test(name));
  return Object.fromEntries(
    counted.map(({ name, labels, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
      return [`${name}{${pairs.join(',')}}`, `0+${value}x30`];
    }),
  );
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms, type EndedProgram } from '../support/built-programs.js';
import { backendEnvironment, graphqlAt, PRODUCTION_ENVIRONMENT, type GraphQLReply } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { requestStart, requestStatus, type JobGateway, type PolledStatus } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

/** An order of accounts that was accepted. */
export interface AcceptedOrder {
  /** What its accounts are called after. */
  readonly name: string;
  readonly jobId: string;
}

/** Accounts of an order. */
export const ITEMS = 20;
/** How long backend-api takes over one, so that jobs last for a while. */
const ITEM_MS = 50;

/** A gateway and a queue function as they are deployed, on Redis servers that fail or change while jobs run. */
export class RedisSite {
  readonly #programs: BuiltPrograms;
  readonly #sandbox: Sandbox;
  readonly #dataDir: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #gateway: JobGateway;
  readonly #accepted: AcceptedOrder[] = [];
  #names = 0;

  private constructor(
    programs: BuiltPrograms,
    sandbox: Sandbox,
    options: { readonly dataDir: string; readonly environment: NodeJS.ProcessEnv; readonly url: string },
  ) {
    this.#programs = programs;
    this.#sandbox = sandbox;
    this.#dataDir = options.dataDir;
    this.#environment = options.environment;
    this.#gateway = { graphql: graphqlAt(options.url), bearer: async () => `Bearer ${await sandbox.mintToken()}` };
  }

  static async start(redisUrl: string): Promise<RedisSite> {
    const [programs, sandbox, dataDir] = await Promise.all([
      BuiltPrograms.open(),
      startBackends(),
      mkdtemp(path.join(tmpdir(), 'redis-site-')),
    ]);
    const slow = { kind: 'slow', milliseconds: ITEM_MS, stage: 'reply' } as const;
    sandbox.faults.set({ operation: 'createUserAccount', fault: slow });
    const environment = {
      ...PRODUCTION_ENVIRONMENT,
      ...backendEnvironment(sandbox),
      REDIS_URL: redisUrl,
      DATA_DIR: dataDir,
      // What is waited for when a job lost its store.
      JOB_LEASE_SECONDS: '2',
    };
    const { url } = await programs.startGateway(environment);
    await programs.startQueueFunction({ ...environment, GATEWAY_URL: url });
    return new RedisSite(programs, sandbox, { dataDir, environment, url });
  }

  /** Runs a program to its end, with the settings of the gateway. */
  run(...args: readonly string[]): Promise<EndedProgram> {
    return this.#programs.run(args, this.#environment);
  }

  /** Orders accounts, again and again until the order is accepted. */
  async order(): Promise<AcceptedOrder> {
    return waitFor('an order to be accepted', async () => {
      const name = `order-${(this.#names += 1)}`;
      const reply = await requestStart(this.#gateway, 'accounts', createAccounts(name, ITEMS));
      const job = dataOf(reply)?.['job'] as { readonly jobId: string } | null | undefined; // as it selects
      if (!job) return undefined;
      const order = { name, jobId: job.jobId };
      this.#accepted.push(order);
      return order;
    });
  }

  /** Resolves when so many accounts have been created. */
  async created(count: number): Promise<void> {
    await waitFor(`${count} accounts`, () => this.#effects().length >= count);
  }

  /** The accounts of an order that were created. */
  accountsOf({ name }: { readonly name: string }): readonly { readonly loginId: string; readonly id: number }[] {
    return this.#effects().filter(({ loginId }) => loginId.startsWith(`${name}-`));
  }

  /**
   * Waits for all that was accepted. Fails unless each account was created once and in order, and each outcome names
   * all of them; what was ordered and not accepted has happened as a whole or not at all.
   */
  async expectAllDoneOnce(): Promise<void> {
    for (const order of this.#accepted) {
      const outcome = await waitFor(`${order.name} to end`, async () => {
        const status = await this.#poll(order);
        return status?.completed === true && status;
      });
      const ids = this.accountsOf(order).map(({ id }) => id);
      expect(outcome).toMatchObject({ status: 'Success', errors: null, createdUserAccountId: ids });
    }
    await waitFor('the queue to be empty', async () => {
      const { stdout } = await this.run('dist/jobs-cli.js', 'queue', '--json');
      const { queue } = JSON.parse(stdout) as { readonly queue: readonly Record<string, unknown>[] }; // as it promises
      const [all] = queue.slice(-1);
      return all !== undefined && ['waiting', 'delayed', 'inHand', 'deadLetters'].every((figure) => all[figure] === 0);
    });
    for (let number = 1; number <= this.#names; number += 1) {
      const name = `order-${number}`;
      const loginIds = this.accountsOf({ name }).map(({ loginId }) => loginId);
      const isAccepted = this.#accepted.some((order) => order.name === name);
      const wanted = createAccounts(name, ITEMS).map(({ userAccountInput }) => userAccountInput.loginId);
      if (isAccepted || loginIds.length > 0) expect(loginIds).toEqual(wanted);
    }
    expect(this.#sandbox.journal.contractViolations()).toEqual([]);
  }

  async close(): Promise<void> {
    await this.#programs.close();
    await this.#sandbox.close();
    await rm(this.#dataDir, { recursive: true });
  }

  #effects(): readonly { readonly loginId: string; readonly id: number }[] {
    return this.#sandbox.journal.effects('userAccountCreated');
  }

  async #poll({ jobId }: AcceptedOrder): Promise<PolledStatus | undefined> {
    const data = dataOf(await requestStatus(this.#gateway, 'accounts', jobId));
    return (data?.['status'] ?? undefined) as PolledStatus | undefined; // as it selects
  }
}

/** @returns undefined when the service is not available */
function dataOf({ data, errors = [], text }: GraphQLReply): Record<string, unknown> | undefined {
  if (errors.length === 0 && data) return data;
  if (errors.length > 0 && errors.every(({ extensions }) => extensions.code === 'ServiceUnavailable')) return undefined;
  throw new Error(`Neither an answer nor an outage: ${text}`);
}

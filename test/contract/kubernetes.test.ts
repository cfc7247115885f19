/** The manifests of `deploy/kubernetes`: valid, complete, and in step with what the programs read, offer and wait for. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/base/config/load-config.js';
import { findTrivialKeys } from '../../src/base/config/trivial-keys.js';
import { ROOT } from '../support/built-programs.js';
import { appliedFiles, MANIFEST_FILES, objectsOf, readManifests, typeFaults } from '../support/kubernetes-manifests.js';
import { variablesOf } from '../support/compose-file.js';
import { operationFor } from '../support/openapi-contract.js';

const manifests = MANIFEST_FILES.flatMap(readManifests);
const deployments = objectsOf(manifests, 'Deployment');
const PROGRAMS = ['gateway', 'queue-function'] as const;

const secretsDirectory = mkdtempSync(path.join(tmpdir(), 'kubernetes-secrets-'));
const passwordFile = path.join(secretsDirectory, 'password');
writeFileSync(passwordFile, 'k3-Redis_of/the@cluster\n');
afterAll(() => rm(secretsDirectory, { recursive: true }));

const SECRETS: Readonly<Record<string, string>> = {
  TASK_CALLBACK_API_KEY: '5d0b8a1f3c9e47e2a6d4',
  JOB_ENCRYPTION_KEY: Buffer.from('f3a9c17be45d208866e1d94c7b3a52f0').toString('base64url'),
  CALLBACK_SIGNING_SECRET: `whsec_${Buffer.from('9b1e7d43a0c85f62d4e8731b').toString('base64')}`,
  BACKEND_API_KEY: 'c81f5e2a97d34b60',
};

function deploymentOf(name: string) {
  const found = deployments.find(({ metadata }) => metadata?.name === name);
  const pod = found?.spec?.template.spec;
  const [container] = pod?.containers ?? [];
  if (found === undefined || pod === undefined || container === undefined) throw new Error(`no deployment ${name}`);
  return { deployment: found, pod, container };
}

/** The environment its container gets. */
function environmentOf(name: string): Record<string, string> {
  const { envFrom = [] } = deploymentOf(name).container;
  const parts = envFrom.map(({ configMapRef, secretRef }) => {
    const settings = objectsOf(manifests, 'ConfigMap').find(({ metadata }) => metadata?.name === configMapRef?.name);
    const secret = objectsOf(manifests, 'Secret').find(({ metadata }) => metadata?.name === secretRef?.name);
    if (configMapRef !== undefined && settings !== undefined) return settings.data ?? {};
    if (secretRef === undefined || secret === undefined) throw new Error(`${name} takes what no manifest has`);
    return Object.fromEntries(Object.keys(secret.stringData ?? {}).map((key) => [key, SECRETS[key] ?? '']));
  });
  return Object.assign({}, ...parts) as Record<string, string>; // of texts alone
}

function configOf(name: (typeof PROGRAMS)[number]) {
  return loadConfig({ ...environmentOf(name), REDIS_PASSWORD_FILE: passwordFile }, name);
}

describe('The manifests for Kubernetes', () => {
  it('have no field that Kubernetes does not know', () => {
    expect(typeFaults(manifests)).toEqual([]);
    const misspelt = structuredClone(manifests.filter(({ object }) => object.kind === 'Deployment').slice(0, 1));
    Object.assign(objectsOf(misspelt, 'Deployment')[0]?.spec?.template.spec ?? {}, { terminationGraceSeconds: 45 });
    expect(typeFaults(misspelt).join()).toContain('terminationGraceSeconds');
  });

  it('are all applied, but for the example of secrets', () => {
    expect([...appliedFiles(), 'secret.example.yaml'].toSorted()).toEqual(MANIFEST_FILES.toSorted());
    const secrets = objectsOf(manifests, 'Secret').flatMap(({ stringData = {} }) => Object.values(stringData));
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.every((value) => value === '')).toBe(true);
  });

  /** Variables left to their defaults: ports are named after these, and no directory outlives a pod. */
  const DECIDED = ['HOST', 'PORT', 'DATA_DIR', 'GATEWAY_URL'];

  it.each(PROGRAMS)('give the %s all that it reads and production requires, and nothing it does not read', (name) => {
    const config = configOf(name);
    expect(config.production).toBe(true);
    expect(findTrivialKeys(config.keys, name)).toEqual([]);
    const given = Object.keys(environmentOf(name));
    const read = variablesOf(name);
    expect(given.filter((variable) => !read.includes(variable))).toEqual([]);
    expect(read.filter((variable) => !given.includes(variable) && !DECIDED.includes(variable))).toEqual([]);
    if (name === 'queue-function') expect(given).toContain('GATEWAY_URL');
  });

  it.each(PROGRAMS)('let the %s drain before it is killed', (name) => {
    const { pod, container } = deploymentOf(name);
    const { shutdown } = configOf(name);
    const graceMs = 1000 * (pod.terminationGracePeriodSeconds ?? 0);
    expect(graceMs - (shutdown.delayMs + shutdown.drainMs)).toBeGreaterThanOrEqual(5_000);
    // Withdrawn, it still answers; a hook would keep from it that it stops.
    expect(shutdown.delayMs).toBeGreaterThanOrEqual(10_000);
    expect(container.lifecycle).toBeUndefined();
  });

  it('probe the gateway at paths that exist, and never start it anew for an outage of others', () => {
    const { container } = deploymentOf('gateway');
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(operationFor('gateway', 'GET', probe?.httpGet?.path ?? '')).toBeDefined();
    }
    expect(livenessProbe?.httpGet?.path).toBe('/health/live');
    expect(readinessProbe?.httpGet?.path).toBe('/health/ready');
  });

  it.each(PROGRAMS)('open the ports at which the %s listens, and no others', (name) => {
    const { listen, metrics } = configOf(name);
    const ports = deploymentOf(name).container.ports?.map(({ containerPort }) => containerPort);
    expect(ports).toEqual(name === 'gateway' ? [listen.port, metrics?.port] : [metrics?.port]);
    const annotations = deploymentOf(name).deployment.spec?.template.metadata?.annotations;
    expect(annotations?.['prometheus.io/port']).toBe(String(metrics?.port));
  });

  it('have the operator of Prometheus scrape both programs, under the names that the alerts rely on', () => {
    const read = (file: string): string => readFileSync(path.join(ROOT, 'deploy', file), 'utf8');
    const jobs = (parse(read('prometheus.yaml')) as { scrape_configs: { job_name: string }[] }).scrape_configs; // ours
    const monitors = parseAllDocuments(read('kubernetes/monitoring/pod-monitors.yaml'));
    const [endpoint, relabeling] = [
      ['spec', 'podMetricsEndpoints', 0],
      ['relabelings', 0],
    ];
    const named = monitors.map(
      (monitor) => monitor.getIn(['spec', 'jobName']) ?? monitor.getIn([...endpoint, ...relabeling, 'replacement']),
    );
    expect(named).toEqual(jobs.map(({ job_name: name }) => name));
    for (const [index, program] of PROGRAMS.entries()) {
      const monitor = monitors[index];
      expect(monitor?.getIn([...endpoint, ...relabeling, 'targetLabel'])).toBe('job');
      const { deployment, container } = deploymentOf(program);
      const { spec } = monitor?.toJS() as { spec: { selector: { matchLabels: object } } }; // ours
      expect(deployment.spec?.template.metadata?.labels).toMatchObject(spec.selector.matchLabels);
      expect(container.ports?.map(({ name }) => name)).toContain(monitor?.getIn([...endpoint, 'port']));
    }
  });
});

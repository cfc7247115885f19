import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, ISecret, IService, IServiceAccount } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { ROOT } from './built-programs.js';
import { compileErrors } from './compiled-source.js';

/** The kinds of object that the manifests hold. */
interface Objects {
  readonly ConfigMap: IConfigMap;
  readonly Deployment: IDeployment;
  readonly HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  readonly NetworkPolicy: INetworkPolicy;
  readonly PodDisruptionBudget: IPodDisruptionBudget;
  readonly Secret: ISecret;
  readonly Service: IService;
  readonly ServiceAccount: IServiceAccount;
}
type Kind = keyof Objects;

/** The module of the type of each kind. */
const MODULES: Readonly<Record<Kind, string>> = {
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'v1',
  Service: 'v1',
  ServiceAccount: 'v1',
};

/** An object of a manifest, and the file it stands in. */
export type Manifest = { [K in Kind]: { readonly file: string; readonly object: Objects[K] & { kind: K } } }[Kind];

const DIRECTORY = path.join(ROOT, 'deploy/kubernetes');

/** Reads what a manifest file holds, which `typeFaults` judges. */
export function readManifests(file: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(path.join(DIRECTORY, file), 'utf8'), { version: '1.1' });
  return documents.map((document) => {
    const [fault] = document.errors;
    if (fault instanceof Error) throw fault;
    return { file, object: document.toJS() as unknown } as Manifest; // judged by its type
  });
}

/** Names of the manifest files. */
export const MANIFEST_FILES = readdirSync(DIRECTORY).filter((file) => /^(?!kustomization).+\.yaml$/.test(file));

/** The names of the files that `kubectl apply -k` takes. */
export function appliedFiles(): readonly string[] {
  const { resources } = parseAllDocuments(
    readFileSync(path.join(DIRECTORY, 'kustomization.yaml'), 'utf8'),
  )[0]?.toJS() as { resources: string[] };
  return resources;
}

/** The objects of one kind among them. */
export function objectsOf<K extends Kind>(manifests: readonly Manifest[], kind: K): Objects[K][] {
  return manifests.flatMap(({ object }) => (object.kind === kind ? [object as Objects[K]] : [])); // of that kind
}

/**
 * Faults of objects against the types of their kinds. A misspelt field is one of them, because it has no effect in a
 * cluster.
 */
export function typeFaults(manifests: readonly Manifest[]): string[] {
  const kinds = [...new Set(manifests.map(({ object }) => object.kind))];
  const imports = kinds.map((kind) => `import type { I${kind} } from 'kubernetes-models/${MODULES[kind]}';`);
  const objects = manifests.map(
    ({ object }) =>
      `export const _${manifests.findIndex((one) => one.object === object)}: I${object.kind} = ${JSON.stringify(object)};`,
  );
  const errors = compileErrors(new Map([['manifests.ts', [...imports, ...objects].join('\n')]]));
  return [...errors.values()].flat();
}

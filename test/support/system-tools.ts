import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { describe } from '@jest/globals';
import { isFauxqsInstalled } from './fauxqs.js';

/** Brings in every program that tests start. */
const INSTALL =
  'sudo apt-get install -y redis-server radosgw ceph-mon ceph-osd openssl curl chromium qpdf poppler-utils prometheus ' +
  'prometheus-alertmanager prometheus-blackbox-exporter haproxy nginx-light golang-go python3-cryptography systemd';

/**
 * Whether a program is installed. When it is not, says in one line what is left out and the command that
 * brings it in; with `CI=true` leaving out is a failure.
 *
 * @param name of an executable on the `PATH`
 * @throws {Error} when it is missing and `CI=true`
 */
export function requireTool(name: string): boolean {
  return isInstalled(name) || leftOut(name, INSTALL);
}

/** Says in one line which tests are left out. @throws {Error} with `CI=true` */
export function leftOut(need: string, cure: string): false {
  const line = `Left out: tests that need ${need}. To run them: ${cure}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  process.stderr.write(`${line}\n`);
  return false;
}

/** A suite that needs programs of this machine; left out, with a line that says so, when one is missing. */
export function describeWith(tools: readonly string[], name: string, suite: () => void): void {
  (tools.every(requireTool) ? describe : describe.skip)(name, suite);
}

/** Whether the stand-in for Amazon SQS is there; left out as in {@link requireTool}. */
export function requireFauxqs(): boolean {
  return isFauxqsInstalled() || leftOut('fauxqs', '.ci/fauxqs/install');
}

/** A suite that needs Redis and the stand-in for SQS; left out, with a line that says so, when one is missing. */
export function describeOnSqs(name: string, suite: () => void): void {
  const tools = [requireTool('redis-server'), requireFauxqs()];
  (tools.every(Boolean) ? describe : describe.skip)(name, suite);
}

function isInstalled(name: string): boolean {
  const directories = (process.env['PATH'] ?? '').split(path.delimiter);
  return directories.some((directory) => isExecutable(path.join(directory, name)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

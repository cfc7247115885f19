/** A real nginx between the queue function and the gateway: its answers say nothing about a job. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { makeCertificate } from '../support/certificate.js';
import { accepts, freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { startTestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const WARNINGS = 'query($jobId: ID!) { job(jobId: $jobId) { state warnings { code values } } }';

describeWith(['nginx', 'openssl'], 'a job behind nginx', () => {
  const directory = forAllTests(temporaryDirectory);
  const certificate = forAllTests(makeCertificate, ({ remove }) => remove());
  const ports = forAllTests(async () => ({ all: await freePorts(2) }));
  const gateway = forAllTests(() => {
    const [own, front] = ports.all;
    return startTestGateway({ PORT: String(own), GATEWAY_URL: `http://127.0.0.1:${front}` }, { production: true });
  });

  /** Starts nginx with settings of its server. */
  async function startNginx(settings: string, listen = ''): Promise<ChildProgram> {
    const [own, front] = ports.all;
    const file = path.join(directory.path, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory.path}/${name};`,
    );
    await writeFile(
      file,
      `daemon off; error_log stderr; pid ${directory.path}/nginx.pid; events {}
http { access_log off; ${temporary.join(' ')}
  server { listen 127.0.0.1:${front} ${listen}; ${settings}
    location / { proxy_pass http://127.0.0.1:${own}; } } }\n`,
    );
    const program = await startProgram('nginx', {
      args: ['-c', file, '-p', directory.path],
      logFile: path.join(directory.path, 'nginx.log'),
    });
    await waitFor('nginx', () => accepts(front ?? 0));
    return closeAfterTest(program);
  }

  const warningsOf = async (jobId: string): Promise<unknown> => {
    const { data } = await gateway.graphql(WARNINGS, { jobId }, await gateway.bearer());
    return (data as { job: { warnings: unknown } }).job.warnings; // as it was asked for
  };

  it.each([
    [413, 'client_max_body_size 100;', '', 'a body that it finds too large'],
    [400, 'ssl_certificate CERT; ssl_certificate_key KEY;', 'ssl', 'plain HTTP to its port for TLS'],
    [200, 'location /api/ { default_type application/json; return 200 "{}"; }', '', 'a page for maintenance'],
    [409, 'location /api/ { return 409; }', '', 'a conflict of its own'],
    [422, 'location /api/ { return 422; }', '', 'a rule of a firewall'],
  ])('waits for its %i and is done once it passes all on: %s', async (status, settings, listen) => {
    const { certFile, keyFile } = certificate;
    const items = createAccounts(`nginx-${status}`, 3);
    const nginx = await startNginx(settings.replace('CERT', certFile).replace('KEY', keyFile), listen);
    const { jobId } = await startJob(gateway, 'accounts', items);
    await waitFor('the warning', async () => JSON.stringify(await warningsOf(jobId)).includes('ForeignAnswer'));
    expect(await warningsOf(jobId)).toEqual([{ code: 'ForeignAnswer', values: { status } }]);
    await nginx.stop();
    await startNginx('client_max_body_size 6m;');
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
    const created = gateway.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);
    const own = created.filter((loginId) => loginId.startsWith(`nginx-${status}`));
    expect(own.sort()).toEqual(items.map(({ userAccountInput: { loginId } }) => loginId).sort());
  });
});

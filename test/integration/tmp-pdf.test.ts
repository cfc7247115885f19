import { expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { startJob, finishedJob } from '../support/started-jobs.js';
import { readPdf } from '../support/pdf-text.js';
it('reads', async () => {
  const gateway = await startTestGateway();
  try {
    const d = (m: string, n: string) => ({ mobileId: m, employeeCode: `E-${m}`, employeeName: n });
    for (const drivers of [[d('1', '佐藤 健一')], [d('1', '佐藤 健一'), d('2', 'Brien'), d('77', 'x')]]) {
    const { jobId } = await startJob(gateway, 'reports', { date: '2026-11-19T00:00:00+09:00', drivers });
    const s = await finishedJob(gateway, 'reports', jobId);
    const r = await fetch(`${gateway.url}${s.downloadUrl}`);
    const by = new Uint8Array(await (await fetch(`${gateway.url}${s.downloadUrl}`)).arrayBuffer()); (await import("node:fs")).writeFileSync("/tmp/x.pdf", by); const pdf = await readPdf(new Uint8Array(await r.arrayBuffer()));
    //
    }
    expect(1).toBe(1);
  } finally { await gateway.close(); }
});

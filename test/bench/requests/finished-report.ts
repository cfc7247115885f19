import type { Stage } from './stage.js';

/** Has the gateway make a report of one driver, so that its status can be polled. @throws {Error} it was not made */
export async function orderReport(stage: Stage, jobId: string): Promise<void> {
  const { origin } = await stage.server('gateway');
  const driver = { mobileId: '1', employeeCode: 'E-1', employeeName: 'Aiko Tanaka' };
  const reply = await fetch(`${origin}/api/v1/DrivingReport/GenerateCallback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': stage.credentials.callbackKey,
      'x-job-id': jobId,
      'x-org-id': 'acme',
    },
    body: JSON.stringify({ date: '2026-11-20T00:00:00Z', drivers: [driver] }),
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`The report callback answered ${reply.status}: ${text}`);
}

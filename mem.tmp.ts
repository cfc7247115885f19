import { createReportRenderer } from './src/reports/render.js';
import { SAMPLE_DATE, sampleOutcome } from './src/reports/sample-report.js';
const n = Number(process.argv[2] ?? 1000);
const opt = { locale: 'ja', tripsPerDriver: 20, trackPoints: 200 } as const;
async function* src(k: number) { for (let i = 0; i < k; i++) yield sampleOutcome(i, opt); }
const r = createReportRenderer({ workers: 1 });
let peak = 0; const iv = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 20);
const t = performance.now(); let bytes = 0; 
for await (const c of r.render({ jobId: 'x', org: 'o', createdAt: new Date(0), date: SAMPLE_DATE, driverCount: n, locale: 'ja', speedLimitKmh: 80 }, src(n), new AbortController().signal)) { bytes += c.length; }
console.log(n, 'peak MB', (peak / 1048576).toFixed(0), 'ms', (performance.now() - t).toFixed(0), 'MB', (bytes / 1048576).toFixed(1));
clearInterval(iv); await r.close();

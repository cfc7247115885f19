import { drawReport } from './src/reports/draw-report.js';
import { FontLibrary } from './src/reports/text/font-library.js';
import { SAMPLE_DATE, sampleOutcomes, sampleOutcome } from './src/reports/sample-report.js';
const n = Number(process.argv[2] ?? 200), tagged = Number(process.argv[3] ?? 0), locale = (process.argv[4] ?? 'ja') as 'ja'|'en';
const fonts = new FontLibrary(); fonts.warm();
const opt = { locale, tripsPerDriver: 20, trackPoints: 200 };
const pre = Array.from({ length: 300 }, (_, i) => sampleOutcome(i, opt));
async function* src(k: number) { for (let i = 0; i < k; i++) yield pre[i % 300]!; }
async function run(k: number) {
  const t = performance.now(); let bytes = 0, pages = 0;
  const g = drawReport({ jobId: 'x', org: 'o', createdAt: new Date(0), date: SAMPLE_DATE, driverCount: k, locale, speedLimitKmh: 80 }, src(k), { fonts, maxTaggedPages: tagged, compress: true });
  for (;;) { const r = await g.next(); if (r.done) { pages = r.value.pages; break; } bytes += r.value.length; }
  const ms = performance.now() - t;
  console.log(k, 'drivers', pages, 'pages', (ms / pages).toFixed(2), 'ms/page', (bytes / pages / 1024).toFixed(1), 'KB/page', 'total ms', ms.toFixed(0), 'rss', (process.memoryUsage().rss / 1048576).toFixed(0), 'heap', (process.memoryUsage().heapUsed / 1048576).toFixed(0));
}
await run(100); await run(n); await run(n);

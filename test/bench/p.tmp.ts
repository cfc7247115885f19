import { drawOurs, drawByHand } from './report-contenders.js';
import { sampleTrips, generator, sampleOutcome } from '../../src/reports/sample-report.js';
import { FontLibrary } from '../../src/reports/text/font-library.js';
const fonts = new FontLibrary();
const day = (index: number) => { const { driver } = sampleOutcome(index, { locale: 'en' }); const trips = sampleTrips(generator(index + 1), { locale: 'en', tripsPerDriver: 20, trackPoints: 200 });
 const short = (a: string | null) => a?.slice(0, 26) ?? null; return { kind: 'day' as const, driver, trips: trips.map((t) => ({ ...t, startAddress: short(t.startAddress), endAddress: short(t.endAddress) })) }; };
const base = Array.from({ length: 200 }, (_, i) => day(i));
for (const n of [200, 2000]) { const days = Array.from({ length: n }, (_, i) => base[i % 200]!); const t = performance.now(); await drawOurs(days, fonts); const a = performance.now() - t; const t2 = performance.now(); drawByHand(days); console.log(n, (a / n).toFixed(2), ((performance.now() - t2) / n).toFixed(2)); }

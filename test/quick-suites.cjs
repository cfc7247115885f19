/** Suites of `npm test`, below `test/`: single parts, what they promise each other, and the whole gateway in short. */
const QUICK = [
  'unit/',
  'contract/',
  'integration/(specification|same-answer)\\.',
  'property/(execution|job-store-on-sqlite)\\.',
  'security/every-operation\\.',
  'faults/killed-gateways-sqlite\\.',
];

/**
 * Those among them that only `npm run test:all` runs. A suite that uses a program which Node.js does not bring has to
 * be named here, which `test/contract/what-npm-test-runs.test.ts` sees to; one that takes ten seconds of a processor
 * should be.
 */
const NOT_QUICK = [
  // redis-server, radosgw, fauxqs, openssl, promtool
  'contract/(bullmq|redis|s3|sqs)-',
  'contract/(alerts|alerts-fair-week|attempt-counter|body-store|replay-memory)\\.',
  // qpdf, pdftotext
  'unit/reports/(names|paper|pictures|scripts|tags)\\.',
  // mount
  'unit/engines/\\w+-database\\.',
  // the compiler on a copy of the code
  'contract/asked-by-the-compiler\\.',
  // long
  'unit/reports/(bad-data|corpus|counted-trips|figures|geometry|renderer|report-pages|turns)\\.',
];

const matches = (names) => new RegExp(`/test/(${names.join('|')})`);
const [quick, notQuick] = [matches(QUICK), matches(NOT_QUICK)];

/** Picks them for Jest (`--filter`), whose settings are the same for all suites, so that each file is compiled once. */
module.exports = (suites) => ({ filtered: suites.filter((suite) => quick.test(suite) && !notQuick.test(suite)) });

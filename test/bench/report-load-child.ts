const REQUESTS = 1_500;
const MILLISECONDS_BETWEEN = 4;

/**
 * Sends GraphQL requests at fixed times, whether or not earlier ones were answered, and prints how long each
 * took in milliseconds, as JSON. Runs in a process of its own, so that it does not wait for what it measures.
 */
await loadGateway(process.argv[2] ?? '');

async function loadGateway(url: string): Promise<void> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < REQUESTS; index += 1) {
    const due = start + index * MILLISECONDS_BETWEEN;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    pending.push(request(url).then((time) => void times.push(time)));
  }
  await Promise.all(pending);
  process.stdout.write(JSON.stringify(times.slice(REQUESTS / 5)));
}

async function request(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ serviceVersion }"}',
  });
  await response.text();
  if (response.status !== 200) throw new Error(`GraphQL answered ${response.status}.`);
  return performance.now() - start;
}

/** A value of one series. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Scrape = Awaited<ReturnType<typeof scrape>>;

/** Reads the metrics of a program as Prometheus does. */
export async function scrape(url: string) {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The scrape was answered with ${response.status}: ${text}`);
  const lines = text.split('\n');
  const types = lines.flatMap((line) => {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, type] as const];
  });
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#')).map(readSample);
  const matching = (name: string, labels: Readonly<Record<string, string>>): readonly Sample[] =>
    samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  return {
    text,
    /** Types by the names of the metrics, those without a sample included. */
    types: new Map(types),
    samples,
    /** Sum of all samples of that name that have these labels; undefined when there is none. */
    value(name: string, labels: Readonly<Record<string, string>> = {}) {
      const found = matching(name, labels);
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
    /** Values of a label, each once. */
    values: (name: string, label: string): readonly string[] => [
      ...new Set(matching(name, {}).map(({ labels }) => labels[label] ?? '')),
    ],
  };
}

/** The text format of Prometheus, version 0.0.4, as far as our own exposition goes. */
function readSample(line: string): Sample {
  const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined || Number.isNaN(Number(value.replace('Inf', 'Infinity')))) {
    throw new Error(`This is no sample: ${line}`);
  }
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}

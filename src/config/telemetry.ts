import type { Reader } from './environment.js';

/** Settings of traces and logs. */
export interface TelemetryConfig {
  /** URL that receives traces; undefined: no traces. */
  readonly tracesEndpoint: string | undefined;
  /** Name in traces and in the log; undefined: the name of the program. */
  readonly serviceName: string | undefined;
}

/** Address of the metrics endpoint. */
export interface MetricsConfig {
  readonly host: string;
  readonly port: number;
}

/** Path at which a collector receives traces (OpenTelemetry Protocol, "OTLP/HTTP Request"). */
const TRACES_PATH = '/v1/traces';

/** Reads the OpenTelemetry variables that switch traces on or off; its SDK reads the others. */
export function readTelemetry({ values }: Reader): TelemetryConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const isOff = values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none';
  const endpoint = whole ?? (base === undefined ? undefined : `${base}${TRACES_PATH}`);
  return { tracesEndpoint: isOff ? undefined : endpoint, serviceName: values.OTEL_SERVICE_NAME };
}

/** Reads the metrics address. Its port is separate, because its clients are not the users of the gateway. */
export function readMetrics({ values, fault }: Reader): MetricsConfig | undefined {
  const { HOST: host, PORT, METRICS_PORT: port } = values;
  if (port === undefined) return undefined;
  if (port === PORT && port !== 0) fault(`METRICS_PORT must be another port than PORT, and both are ${port}.`);
  return { host, port };
}

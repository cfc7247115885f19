import type { Reader } from './environment.js';

/** How the program is watched. */
export interface TelemetryConfig {
  /** URL that takes traces; undefined: there are none. */
  readonly tracesEndpoint: string | undefined;
  /** Name in traces and in the log; undefined: the name of the program. */
  readonly serviceName: string | undefined;
}

/** Where metrics are read. */
export interface MetricsConfig {
  readonly host: string;
  readonly port: number;
}

/** Path of a collector that takes traces (OpenTelemetry Protocol, "OTLP/HTTP Request"). */
const TRACES_PATH = '/v1/traces';

/** The variables of OpenTelemetry that decide whether there are traces at all; the others are read by its SDK. */
export function readTelemetry({ values }: Reader): TelemetryConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const isOff = values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none';
  const endpoint = whole ?? (base === undefined ? undefined : `${base}${TRACES_PATH}`);
  return { tracesEndpoint: isOff ? undefined : endpoint, serviceName: values.OTEL_SERVICE_NAME };
}

/** Metrics have a port of their own: who reads them is not who uses the gateway. */
export function readMetrics({ values, fault }: Reader): MetricsConfig | undefined {
  const { HOST: host, PORT, METRICS_PORT: port } = values;
  if (port === undefined) return undefined;
  if (port === PORT && port !== 0) fault(`METRICS_PORT must be another port than PORT, and both are ${port}.`);
  return { host, port };
}

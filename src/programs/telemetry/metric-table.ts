interface Definition {
  readonly type: 'histogram' | 'counter' | 'gauge';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds, in the unit of the name. */
  readonly buckets?: readonly number[];
}

function counter<const Labels extends readonly string[]>(labels: Labels, help: string) {
  return { type: 'counter', labels, help } as const;
}

function gauge<const Labels extends readonly string[]>(labels: Labels, help: string) {
  return { type: 'gauge', labels, help } as const;
}

function histogram<const Labels extends readonly string[]>(buckets: readonly number[], labels: Labels, help: string) {
  return { type: 'histogram', buckets, labels, help } as const;
}

/** From 1 ms to 10 s: durations that a user waits for. Alerts name the bound of 2 s. */
const WAITED_FOR = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** From 0.1 s to 1 h: durations of background work. */
const IN_THE_BACKGROUND = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Bounds of the OpenTelemetry semantic conventions, "HTTP metrics". */
const OF_HTTP = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Metrics of both programs. */
export const COMMON_METRICS = {
  gateway_key_uses_total: counter(
    ['key', 'generation'],
    'uses of keys by key (`callback`: `TASK_CALLBACK_API_KEY`, `signing`: `CALLBACK_SIGNING_SECRET`, ' +
      '`encryption`: `JOB_ENCRYPTION_KEY`) and generation (`current`, `previous`); a previous key without new ' +
      'uses may be removed',
  ),
  gateway_deliveries_total: counter(
    ['kind', 'outcome', 'reason'],
    'deliveries of jobs by outcome and reason. Outcomes are `done`, `delayed` (uses up no attempt), ' +
      '`failed` (is tried again), `dead`, and `held_back` (not sent, because the organisation already runs ' +
      'as many jobs as it may); `openapi/README.md` lists the reasons',
  ),
  gateway_jobs_ended_total: counter(
    ['kind', 'outcome'],
    'ordered jobs that ended, by outcome: `finished`, `cancelled` by a user or operator, `dead` (a dead letter). ' +
      '`gateway_jobs_ordered_total` and `gateway_jobs_replayed_total` less this are open, apart from the ends and ' +
      'orders of `npm run jobs`',
  ),
  gateway_jobs_replayed_total: counter(
    ['kind'],
    'ordered jobs that were brought back after their end, counted when they run, or end again',
  ),
  gateway_job_items_total: counter(
    ['kind', 'outcome'],
    'items of jobs that ended, by outcome: `done`, `failed`, `cancelled` (not begun when the job was cancelled)',
  ),
  gateway_queue_depth: gauge([], 'job messages that wait'),
  gateway_queue_in_hand: gauge([], 'job messages that are being delivered; on Amazon SQS, also delayed messages'),
  gateway_queue_oldest_seconds: gauge(
    [],
    'time since the order of the job whose message has waited longest; 0 if no message waits',
  ),
  gateway_dead_letters: gauge([], 'messages in the dead-letter queue'),
  gateway_job_store_operation_duration_seconds: histogram(
    WAITED_FOR,
    ['operation', 'outcome'],
    'operations of the job store and orders (`submit`), by outcome (`ok`, `failed`), for Redis and for embedded jobs',
  ),
  gateway_store_mark_info: gauge(
    ['mark'],
    'always 1; id of the mark in Redis that the program saw last. Programs of one installation see the same; absent ' +
      'for embedded jobs',
  ),
  gateway_log_events_total: counter(
    ['event', 'level'],
    'log events of level `warn` or higher, at any `LOG_LEVEL`; `log-events.md` lists the events',
  ),
  gateway_log_lines_lost_total: counter(
    [],
    'log lines that were given up, because standard output took no more (a full disk, a stopped reader)',
  ),
  nodejs_eventloop_delay_mean_seconds: gauge([], 'mean delay of the event loop since the last scrape'),
  nodejs_eventloop_delay_p99_seconds: gauge([], '99th percentile of the delay of the event loop since the last scrape'),
  nodejs_eventloop_delay_max_seconds: gauge([], 'longest delay of the event loop since the last scrape'),
  nodejs_eventloop_utilization_ratio: gauge(
    [],
    'share of the time since the last scrape in which the event loop was busy',
  ),
  v8js_memory_heap_used_bytes: gauge(['v8js_heap_space_name'], 'heap memory in use, by heap space'),
  v8js_memory_heap_limit_bytes: gauge([], 'largest size of the heap'),
  process_memory_usage_bytes: gauge([], 'resident memory of the process'),
  process_cpu_time_seconds_total: counter(
    ['cpu_mode'],
    'processor time of the process, including drawing threads, by mode (`user`, `system`)',
  ),
  process_uptime_seconds: gauge([], 'time since the process started'),
  process_open_fds: gauge([], 'open file descriptors: connections and files (Linux only)'),
  process_max_fds: gauge([], 'largest number of open file descriptors (`ulimit -n`; Linux only)'),
  target_info: gauge(
    ['service_name', 'service_version', 'commit'],
    'always 1; name, version and commit of the program',
  ),
} satisfies Readonly<Record<string, Definition>>;

/**
 * Every metric. Names follow the OpenTelemetry semantic conventions, in the spelling of Prometheus, or for descriptors
 * its client libraries; other names begin with `gateway_`. The table in `deploy/metrics.md` is generated from it.
 *
 * Label values come from short fixed lists; callers cannot add new ones. `org` names few organisations at a time.
 */
export const METRICS = {
  http_server_request_duration_seconds: histogram(
    OF_HTTP,
    ['http_request_method', 'http_route', 'http_response_status_code'],
    'HTTP requests by method, route (without `BASE_PATH`; empty if there is no such route) and status',
  ),
  http_server_active_requests: gauge([], 'HTTP requests that are being handled'),
  gateway_http_requests_refused_total: counter(
    ['http_response_status_code'],
    'requests that were refused before any route, by status, because they were not valid HTTP, too large ' +
      'or too late',
  ),
  gateway_graphql_operation_duration_seconds: histogram(
    WAITED_FOR,
    ['operation', 'outcome'],
    'GraphQL requests by operation name and outcome: `ok`, `refused` (a fault of the caller), `failed` ' +
      '(a fault of the gateway or a dependency), `incomplete` (a field within the answer, such as an ' +
      'address, is missing because a dependency failed), `abandoned` (the client disconnected before the ' +
      'end) or `shed` (too many requests). Names are those of ' +
      'the persisted operations, or the first 100 that were run; any further name counts as `other`, an ' +
      'operation without a name as `unnamed`, and a request that ran nothing as `none`',
  ),
  gateway_client_operations_total: counter(
    ['client', 'version', 'outcome'],
    'GraphQL operations of users with a valid token, by the name and version in `x-client-name` and `x-client-version` ' +
      '(or those of Apollo Client) and by outcome, as above or `not_listed`, of which ten a minute are judged; the ' +
      'first 50 versions, further ones count as `other`',
  ),
  gateway_graphql_errors_total: counter(
    ['code', 'reason'],
    'errors in GraphQL replies by code and reason; [schema/errors.md](../schema/errors.md) lists both',
  ),
  gateway_authentications_total: counter(
    ['outcome', 'reason'],
    'authentications by outcome: `authenticated`, `no_token`, `invalid_token`, `unavailable` (the public keys ' +
      'cannot be fetched). The reason of `invalid_token` is `form` (no token, or one of another type), `key_id` (no ' +
      'key has its `kid`), `signature`, `expiry` (`exp` or `nbf`), `issuer` (TOKEN_ISSUSERS has neither `iss` nor ' +
      '`aud`) or `claim`; the last two and `expiry` mean that the signature is right',
  ),
  gateway_token_calls_total: counter(
    ['outcome'],
    'calls to backend-api with a token that the gateway has verified: `unauthorized` (backend-api answered 401, and the ' +
      'user was logged out) or `other`',
  ),
  gateway_key_fetch_duration_seconds: histogram(WAITED_FOR, [], 'fetches of the public keys, including failed fetches'),
  gateway_key_fetch_failures_total: counter([], 'fetches of the public keys that failed or brought no usable key'),
  gateway_backend_call_duration_seconds: histogram(
    WAITED_FOR,
    ['backend', 'call', 'outcome'],
    'calls to backends, with each repetition counted separately, by backend, call and outcome: `ok`, ' +
      '`refused` (4xx in the form of its contract), `foreign` (any other 4xx, which something in front of the ' +
      'backend sent), `failed` (no connection, no answer in time, 5xx), `odd` (the answer breaks the ' +
      'contract), `not_sent` (the circuit breaker is open or no connection is free), `cut_off` (the result ' +
      'is no longer needed: the client has disconnected, the operation has ended or the job stops)',
  ),
  gateway_circuit_open: gauge(
    ['backend', 'caller', 'mode'],
    '1 if the circuit breaker is open for all callers, or was open for one caller within the last ' +
      'minute; otherwise 0',
  ),
  gateway_circuit_open_parties: gauge(
    ['backend', 'caller', 'mode'],
    'number of organisations and addresses for which the circuit breaker was open within the last minute',
  ),
  gateway_backend_key_refused: gauge(
    ['scope'],
    'refusals of `BACKEND_API_KEY` within the last five minutes: for `organisations`, the number of ' +
      'affected organisations; for `everybody`, 1 if it was also refused without an organisation',
  ),
  gateway_backend_connections_in_use: gauge(
    ['backend', 'purpose'],
    'connections in use by backend and purpose (`calls`, `visitors`, `keys`, `probes`)',
  ),
  gateway_backend_connections_max: gauge(
    ['backend', 'purpose'],
    'largest number of connections, by backend and purpose',
  ),
  gateway_backend_calls_waiting: gauge(
    ['backend', 'purpose'],
    'calls that wait for a connection, by backend and purpose',
  ),
  gateway_jobs_ordered_total: counter(['kind'], 'jobs that were accepted'),
  gateway_open_jobs_ratio: gauge(
    [],
    'largest share of `JOBS_MAX_OPEN_PER_ORG` or `JOBS_MAX_OPEN_BYTES_PER_ORG` that an organisation used ' +
      'with an order of the last five minutes; above 1, the order was refused',
  ),
  gateway_organisation_limit_ratio: gauge(
    ['org', 'reason'],
    'share of a limit that an organisation, or one of its users, used with an order of the last five minutes, from 0.8 ' +
      'on, for the last twenty of them, by the reason for which orders are refused above 1: `TooManyOpenJobs`, ' +
      '`TooManyKeptJobs` (`JOBS_MAX_KEPT_BYTES_PER_ORG`), `TooManyOrders` (`ITEMS_MAX_PER_MINUTE_PER_ORG`)',
  ),
  gateway_job_starts_total: counter(['kind'], 'runs of jobs that began, including repeated attempts'),
  gateway_job_retries_total: counter(['kind'], 'runs of jobs that were a second attempt or a later one'),
  gateway_job_wait_seconds: histogram(
    IN_THE_BACKGROUND,
    ['kind'],
    'time from the order of a job to the start of its first run',
  ),
  gateway_job_duration_seconds: histogram(
    IN_THE_BACKGROUND,
    ['kind', 'outcome'],
    'runs of jobs by outcome: `finished`, `nothing_done` (items failed and none was done), `stopped` (shutdown), ' +
      '`gave_way` (another organisation had work), `taken_over` (the lease was lost), `failed` (an error; the job ' +
      'is delivered again)',
  ),
  gateway_jobs_running: gauge(['kind'], 'jobs that are running'),
  gateway_report_duration_seconds: histogram(
    IN_THE_BACKGROUND,
    ['outcome'],
    'time from the first to the last page of a report, including waiting, by outcome (`drawn`, ' + '`not_drawn`)',
  ),
  gateway_report_drawing_seconds: histogram(IN_THE_BACKGROUND, [], 'processor time of the drawing thread for a report'),
  gateway_report_start_failures_total: counter(
    [],
    'starts of the drawing threads that failed; the reports wait, and each of their deliveries tries again',
  ),
  gateway_report_pages_total: counter([], 'pages of reports that were drawn'),
  gateway_object_store_operation_duration_seconds: histogram(
    IN_THE_BACKGROUND,
    ['operation', 'outcome'],
    'operations of the object store (`put`, which lasts as long as the report is drawn; `downloadUrl`) by ' +
      'outcome (`ok`, `failed`)',
  ),
  gateway_dependency_up: gauge(
    ['dependency'],
    '1 if a dependency passes its check of `/health/ready`, otherwise 0; dependencies are the backends, ' +
      '`job-store`, `queue` and `object-store`',
  ),
  gateway_storage_used_bytes: gauge(
    ['storage'],
    'memory in use on the fullest Redis server (`redis`), or space in use on the disk of `DATA_DIR` ' + '(`data-dir`)',
  ),
  gateway_storage_limit_bytes: gauge(
    ['storage'],
    'limit of `gateway_storage_used_bytes`: for `redis`, `maxmemory` or, if that is not set, the memory ' +
      'of the machine; for `data-dir`, the size of the disk',
  ),
  gateway_report_files_bytes: gauge(
    ['org'],
    'size of the reports in `DATA_DIR` of the organisation whose reports take most, read once an hour; absent with a bucket',
  ),
  ...COMMON_METRICS,
} satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof METRICS;

export type NamesOf<Type extends Definition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];

export type LabelsOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];

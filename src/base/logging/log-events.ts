const debug = (meaning: string) => ['debug', meaning] as const;
const info = (meaning: string) => ['info', meaning] as const;
const warn = (meaning: string) => ['warn', meaning] as const;
const error = (meaning: string) => ['error', meaning] as const;
const fatal = (meaning: string) => ['fatal', meaning] as const;

/**
 * Level and meaning of every event that the programs log. The fields of an event have the details. A test keeps
 * `deploy/log-events.md` equal to this table.
 */
export const LOG_EVENTS = {
  'config.doubtful': warn('a setting is valid but probably unintended; `reason` names its variable'),
  'gateway.listening': info('the gateway answers at `url`'),
  'queue_function.consuming': info('the queue function takes jobs from the queue'),
  'metrics.listening': info('metrics can be read at `url`'),
  'program.start_failed': fatal('the program could not be started and ends; `reason` says why'),
  'program.stopping': info('the program received a signal, and the shutdown begins'),
  'program.given_up': error(
    'a flush of embedded jobs to the disk has failed (`dependency.failed` says why); the gateway stops, and ends with ' +
      'exit code 75 so that it is started again',
  ),
  'program.stopped': info('the shutdown is over; `unfinished` names the steps that failed or took too long'),
  'log.lines_lost': error(
    'standard output took no lines for a while (a full disk, or a reader that stood still); `lines` lines are missing',
  ),
  'process.descriptors_used_up': error(
    'the program has `open` of its `limit` file descriptors open; without more, connections are dropped and stores ' +
      'fail; raise the limit (`ulimit -n`, LimitNOFILE)',
  ),
  'token.refused': info(
    'a token was refused; `reason` says why (`form`, `key_id`, `signature`, `expiry`, `issuer`, `claim`), and `issuer` ' +
      'is the `iss` of a token whose signature is right; once a minute for each reason',
  ),
  'token.of_another_kind': warn(
    'a token of `issuer` was accepted that is no access token (`claim` is `typ`, `token_use` or `events`), or that does not ' +
      'end within ten years (`exp`); have front ends send access tokens, and the issuer limit them; once for each issuer',
  ),
  'process.warned': warn('Node.js or a library gave a warning, with the text in `reason`'),
  'shutdown.step_started': debug('the next step of the shutdown begins'),
  'shutdown.step_failed': error('a step of the shutdown failed; the other steps still run'),
  'shutdown.step_overdue': error(
    'a step of the shutdown took longer than `limitMs`; the shutdown continues without it',
  ),

  'request.handled': info('the reply to a request is complete'),
  'request.cut_short': info(
    'the connection closed before the reply was complete, so `status` is 499; the job of a callback continues',
  ),
  'request.probed': debug('a health check was answered, or cut short (`status` 499)'),
  'request.refused': warn('a dependency is down, so the reply is 503'),
  'request.failed': error('an unexpected error occurred, so the reply is 500'),
  'requests.refused_often': warn(
    '`requests` of the `of` refused requests of a minute came from the client at `address`, for the same `reason`: ' +
      '`shed`, a code of GraphQL, or `Unauthorized`; the load balancer can limit it; one line a minute at most',
  ),
  'callback.refused': warn(
    'a callback with the right API key has no valid signature; `reason`, which the caller does not get, says why',
  ),
  'cors.origin_refused': warn(
    'a browser may not send requests of the page of `origin`, which `variable` does not list; each origin is logged ' +
      'once a minute, and 100 origins at most',
  ),
  'connection.failed': debug('a connection broke while the reply was sent'),
  'operation.not_listed': warn(
    'PERSISTED_OPERATIONS_FILE has no operation with the `hash` that a `client` named; ten a minute at most',
  ),
  'operation.refused': warn('a GraphQL field is null because a dependency is down'),
  'operation.failed': error('an unexpected error occurred in a resolver; the caller gets a masked text'),
  'graphql.load_shed': warn(
    'GraphQL requests were refused because the delay of the process, or their waiting time, exceeded ' +
      '`MAX_EVENT_LOOP_DELAY_MS`',
  ),
  'readiness.not_ready': warn('a dependency did not pass its health check'),
  'jwks.last_good_served': warn('backend-api is down; the last good key set is served'),
  'circuit.opened': warn(
    'a backend keeps failing for one caller or for all callers, so their calls are not sent for a while',
  ),
  'circuit.closed': info('the backend answers again'),
  'backend.contract_broken': error(
    'the answer of a backend to `call` breaks its contract: `path` names the field, and `rule` names the ' +
      'broken rule',
  ),
  'backend.foreign_answer': error(
    'something in front of a backend answered `call` in its place: `status`, `contentType` and `server` show what',
  ),
  'backend.key_refused': error(
    'a backend refuses `BACKEND_API_KEY` for one organisation (`org`) or for all, as `scope` says; jobs wait',
  ),
  'backend.token_refused': warn(
    'backend-api answered 401 to `call` with a token that the gateway has verified, so that its user was logged out; once a ' +
      'minute',
  ),
  'dependency.failed': error('a store or the queue cannot be used; `fault` says what to change'),
  'dependency.recovered': info('a store or the queue answers again'),

  'job.accepted': info('the user in `orderedBy` ordered a job, which waits in the queue'),
  'job.cancelled': info('the user in `cancelledBy` cancelled a job, which begins nothing further'),
  'job.winding_up': info('a running job was cancelled: it finishes the items it has begun, and begins no others'),
  'job.record_unreadable': error('the record of a job cannot be read; the list of jobs leaves it out'),
  'job.started': info('a gateway claimed a job and runs it'),
  'job.waiting': warn('a backend is down; the job waits for it, up to `JOB_PATIENCE_SECONDS`'),
  'job.key_unknown': warn(
    'a job waits for the key under which it was accepted; `JOB_ENCRYPTION_KEY` of this gateway lacks that key',
  ),
  'job.gave_way': info(
    'a job stopped because a job of another organisation waits, or because one has to run alone; it continues later',
  ),
  'job.given_up': error(
    'a job is not run any more, because `lostLeases` gateways in a row ended, or lost their lease, while they ran it ' +
      'and it got no further; it runs again after a replay',
  ),
  'job.surplus_unknown': warn('the store did not say whether jobs should give way to others; it is asked again'),
  'job.finished': info(
    'a job ended and its outcome is stored; `durationMs` is the time of its last run, and `sinceAcceptedMs` ' +
      'is the time since its acceptance',
  ),
  'job.stopped': info('a job stopped because the process ends; it continues later'),
  'job.taken_over': warn('the lease was lost; another process runs the job'),
  'job.lease_not_renewed': warn('the store did not renew the lease, which stays valid until it runs out'),
  'job.lease_not_released': warn('the lease of a stopped job was not released; it runs out by itself'),
  'job.driver_failed': error('an unexpected error occurred for a driver; `errorList` names the driver'),
  'report.stored': info('a report is in the object store, under `key`'),
  'report.addresses_missing': warn('geo-api is down; the trips of a driver have no addresses'),
  'report.characters_missing': warn('no font has some characters of a report, which shows marks instead'),
  'report.record_missing': warn(
    'the trips of a mobile from `from` on, which the driving time rules weigh too, could not be fetched; the page says so',
  ),
  'report.drawing_stuck': error(
    'three starts of the drawing threads failed within a minute, and reports wait; `reason` says why. Restart the ' +
      'gateway: files that were replaced do not come back; without descriptors, raise the limit first; once a minute',
  ),
  'report.table_missing': warn(
    'the table of a report could not be stored beside its PDF for the reason in `reason`; its status has the warning `TableMissing`',
  ),
  'report.vehicle_missing': warn('number and name of a vehicle could not be fetched; its pages show neither'),

  'delivery.done': info('the callback answered 200'),
  'delivery.delayed': info('the job is delivered again later, for the reason in `code`; no attempt is used up'),
  'delivery.turned_away': warn(
    'deliveries are delayed for the reason in `code` (openapi/README.md lists the codes); logged once a ' +
      'minute for each code',
  ),
  'delivery.interrupted': info(
    'the queue function ends while a callback runs; the job continues and its message comes again',
  ),
  'delivery.held_back': debug(
    'the organisation of a job already runs as many jobs as it may while others have work; no attempt is used up',
  ),
  'delivery.failed': warn('the callback failed; an attempt is used up'),
  'delivery.refused': error('the callback will never take the job, or could not be reached for too long'),
  'delivery.dead_letter': error('the job went to the dead-letter queue and its record ended as a failure'),
  'delivery.record_not_ended': warn('the record of a dead letter could not be ended; the gateway tries again'),
  'delivery.payload_unreadable': error('a job message cannot be decrypted; check `JOB_ENCRYPTION_KEY`'),
  'delivery.key_unknown': warn(
    'job messages wait for a key that `JOB_ENCRYPTION_KEY` of this program lacks; logged once a minute',
  ),
  'delivery.no_reply': warn('no usable reply came from the gateway'),
  'queue.unreadable': warn('the queue cannot be read; the program tries again'),
  'queue.enqueue_in_doubt': warn(
    'the queue did not say whether it took the message of a new job; the job is accepted, and ends as lost if its ' +
      'message never comes',
  ),
  'queue.message_not_settled': warn('the outcome of a delivery could not be stored; its message comes again'),
  'queue.message_not_renewed': warn('the lease of a message could not be renewed'),
  'queue.message_already_ended': info(
    'the end of a message was reported a second time: the first reply was lost, or another program ended it',
  ),
  'queue.message_taken_over': warn('a message went to another consumer, or waits for one'),
  'queue.handler_failed': error('an unexpected error occurred while a message was handled; an attempt is used up'),
  'queue.consumer_failed': warn('the consumer of the queue had an error and continues'),
  'queue.message_of_newer_version': warn(
    'a newer version sent a message that this version cannot read; the message waits for a newer program ' +
      'without using an attempt',
  ),
  'queue.message_given_up': warn('a message was deleted without a call, because its job ended after it had been sent'),
  'queue.body_gone': warn('the body of a message is missing; the gateways end its job, unless it was done'),
  'queue.body_not_removed': warn('the body of a message that is gone was not removed; it expires by itself'),
  'queue.dead_letter_unreadable': warn('a dead letter cannot be read as a message and stays where it is'),
  'queue.orphans_ended': warn('records of jobs without a message in the queue were ended as failures'),
  'queue.orphan_unreadable': warn(
    'a record, or an entry of the index of unfinished jobs, cannot be read; the sweep continues',
  ),
  'queue.sweep_failed': error('the sweep for records without a message failed; the next one tries again'),
  'organisation.near_limit': warn(
    'an organisation, or one of its users, uses `share` of a limit of its jobs; beyond 1, its orders are refused for ' +
      '`reason`; logged every ten minutes',
  ),
  'store.sweep_failed': warn('expired records could not be removed; the next sweep tries again'),
  'store.forgot': error(
    'Redis has lost jobs that it had acknowledged: its `mark` is missing, behind what was seen at `seenAt`, or of ' +
      'another store; or `missing` jobs that this program acknowledged in the seconds before a new primary are not ' +
      'there (`jobIds` has up to 20). Logged once for each loss',
  ),
  'store.may_forget': warn('Redis can lose acknowledged jobs with its settings; `fault` says what to change'),
  'store.mark_unknown': warn('the mark in Redis, which shows losses, could not be checked; the next check tries again'),
  'store.clock_ahead': error(
    'the clock is `days` ahead of the newest time that the embedded `store` has seen, `seenAt`, so nothing of it expires ' +
      'until the gateway has run on that clock for a day; logged every ten minutes',
  ),
  'store.entry_damaged': error('an entry of `table` cannot be read; it was set aside, and everything else continues'),
  'objects.clock_wrong': warn(
    'the clock of the bucket is `offsetMs` ahead of the clock of this machine, which must be set; links use ' +
      'the time of the bucket',
  ),
  'objects.unreadable': error(
    'the bucket takes reports and refuses to read one small object, so links of reports fail; `fault` says what to ' +
      'change; read once a minute',
  ),
  'objects.sweep_failed': warn('old reports could not be removed; the next sweep tries again'),

  'traces.not_exported': warn(
    'the collector accepts no traces; traces are lost meanwhile, and nothing else is affected',
  ),
  'traces.exported_again': info('the collector accepts traces again; `lostSpans` spans were lost'),

  'sandbox.otp_issued': info('the simulated backend issued a one-time password'),
  'sandbox.request_cut_short': debug('a client closed the connection while a simulated backend answered it'),
  'sandbox.request_failed': error('a simulated backend could not answer'),
  'sandbox.contract_broken': warn('a call to a simulated backend does not match its OpenAPI file'),
} satisfies Readonly<Record<string, readonly [level: LogLevel, meaning: string]>>;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export type LogEvent = keyof typeof LOG_EVENTS;

/** Writes events, one line each. */
export interface Logger {
  /** Writes an event at its level. @param fields details; an error goes under `err`, its text alone under `reason` */
  event(name: LogEvent, fields?: object): void;
  /** Creates a logger that adds these fields to its events. */
  child(fields: object): Logger;
}

/** Called for each event, written or not. */
export type OnEvent = (name: LogEvent) => void;

export interface LogDestination {
  /** Number of lines that were given up, because the system took no more. */
  readonly lostLines?: number;
  /** Takes a line. @param isUrgent true for a warning or an error, which is to be written at once */
  write(line: string, isUrgent: boolean): void;
}

/** A logger that can report its events to a listener. */
export interface WatchableLogger extends Logger {
  readonly lostLines: number;
  /** Returns the same logger with a listener for its events and those of its children; one listener at a time. */
  watched(onEvent: OnEvent): Logger;
}

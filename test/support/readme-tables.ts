import { isProtected } from '../../src/gateway/auth/guard.js';
import { ERROR_STATUS, ERRORS, type ErrorRow } from '../../src/base/error-table.js';
import { VARIABLES } from '../../src/base/config/variables.js';
import { DELIVERY_OUTCOMES } from '../../src/jobs/record/delivery-outcome.js';
import { LOG_EVENTS } from '../../src/base/logging/log-events.js';
import { CALLBACKS } from './callbacks.js';
import { JOBS, unservedSchema } from './job-table.js';

/** The table of variables in `deploy/configuration.md`, as the code has them. */
export function variablesTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const production = 'production' in variable ? variable.production : 'same';
    return `| \`${name}\` | ${variable.meaning} | ${variable.development} | ${production} |`;
  });
  return ['| Variable | Meaning | Development | Production |', '|---|---|---|---|', ...rows].join('\n');
}

/** The table of `deploy/log-events.md`, as the code has them. */
export function logEventsTable(): string {
  const rows = Object.entries(LOG_EVENTS).map(([name, [level, meaning]]) => `| \`${name}\` | ${level} | ${meaning} |`);
  return ['| Event | Level | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The table of error texts in `schema/errors.md`, as the code has it. */
export function errorsTable(): string {
  const rows = Object.entries<ErrorRow>(ERRORS).map(
    ([reason, { text, read, code, status, item, field, warning, fixedBy }]) => {
      const shownCode = code ?? item ?? warning ?? (field && 'BadInput');
      const shownStatus = [...new Set([code && ERROR_STATUS[code], status])].filter((each) => each !== undefined);
      const cells = [
        `\`${reason}\``,
        shownCode === undefined ? '' : `\`${shownCode}\``,
        shownStatus.join(', '),
        read,
        `${text.replaceAll('|', '\\|')}${fixedBy === undefined ? '' : ` (fixed by ${fixedBy})`}`,
      ];
      return `| ${cells.join(' | ')} |`;
    },
  );
  return ['| Reason | Code | Status | Read by | Text |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The table of who may call which operation, in `schema/README.md` and `SECURITY.md`, as schema and kinds have it. */
export function operationsTable(): string {
  const schema = unservedSchema();
  const kinds = Object.values(JOBS);
  const rows = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => {
      const kind = kinds.find(({ start, status }) => [start, status].some((name) => name === field.name));
      const isOfAdministrators = kind?.administratorsOnly === true;
      const isOfJobs = kind?.start !== field.name && /\bJob|Status\b|StatusConnection/.test(String(field.type));
      const anybody = !isProtected(field);
      const user = anybody || (!isOfAdministrators && !isOfJobs);
      const mayBeClosed = kind?.kind === 'mobiles' && kind.start === field.name;
      const cells = [anybody, user, user || !isOfAdministrators, true].map((may) => (may ? 'yes' : 'no'));
      const [first, ...others] = mayBeClosed ? cells.map((cell) => cell.replace('yes', 'yes, by default')) : cells;
      return `| \`${field.name}\` | ${[first, ...others.slice(0, 2), 'yes'].join(' | ')} |`;
    }),
  );
  const heading = '| Operation | Anybody | User | User who ordered the job | Administrator |';
  return [heading, '|---|---|---|---|---|', ...rows].join('\n');
}

/** The table of outcomes in `openapi/README.md`, as the code has it. */
export function deliveriesTable(): string {
  const rows = Object.entries(DELIVERY_OUTCOMES).map(([code, row]) => {
    const answer = 'statuses' in row ? row.statuses.join(', ') : row.when;
    return `| ${answer} | ${row.meaning} | ${row.outcome} | \`${code}\` |`;
  });
  return ['| Answer | What it means | Outcome | Code |', '|---|---|---|---|', ...rows].join('\n');
}

/** The rows of the callbacks in the table of endpoints of `openapi/README.md`, as `openapi/gateway.yaml` has them. */
export function callbackRows(): string {
  const rows = CALLBACKS.map(
    ({ path, summary }) =>
      `| \`POST ${path}\` | \`x-api-key\`, and a signature with \`CALLBACK_SIGNING_SECRET\` | ${summary} |`,
  );
  return rows.join('\n');
}

// @ts-check
/* global document, fetch, HTMLElement, localStorage, sessionStorage, setTimeout, clearTimeout */

/*
 * Additions of the playground to GraphiQL. The page has this script after GraphiQL and before its start.
 *
 * The token of a log-in and the id of a job are kept until the browser tab is closed; `{{accessToken}}` and `{{jobId}}`
 * stand for them in every tab. The status of a job is polled until the job ends. Links to reports can be clicked. A
 * line at the bottom shows the names of kept values, and reasons of refused requests.
 */

/** @typedef {{ query: string, variables?: unknown, operationName?: string | null }} Operation */
/** @typedef {{ message: string, extensions?: { readonly code?: string } }} Fault */
/** @typedef {{ data?: unknown, errors?: readonly Fault[] }} Answer */
/** @typedef {{ next(answer: Answer): void, error(reason: unknown): void, complete(): void }} Watcher */
/** @typedef {{ readonly [name: string]: unknown }} Options */
/** @typedef {{ tabs: { id: string, variables: string | null }[], activeTabIndex: number }} Tabs */
/** @typedef {(root: Element, options: Options) => void} Render */

/** Names of fields whose values are kept. */
const KEPT_FIELDS = ['accessToken', 'refreshToken', 'challenge', 'jobId'];
const KEPT_UNDER = 'gateway-playground';
const DOWNLOAD_FIELD = 'downloadUrl';
const BEARER = 'Bearer ';
const WATCH_INTERVAL_MS = 1000;
/** Operation that GraphiQL sends by itself. */
const INTROSPECTION = 'IntrospectionQuery';

/** @returns {Record<string, string>} */
const keptValues = () => JSON.parse(sessionStorage.getItem(KEPT_UNDER) ?? '{}');

/** Every download link so far. @type {string[]} */
const links = [];

const note = document.querySelector('#playground-note');

/** @param {readonly (string | Element)[]} remarks */
const say = (remarks) => note?.replaceChildren(...remarks.flatMap((remark) => [remark, ' ']));

/**
 * Yields the texts of an answer with their field names, except in lists, where a name is ambiguous.
 *
 * @param {unknown} value
 * @returns {Generator<[name: string, text: string]>}
 */
function* textsOf(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry === 'string') yield [name, entry];
    else yield* textsOf(entry);
  }
}

/** Replaces placeholders by kept values. @param {string} json @returns {{ json: string, missing: string[] }} */
function filled(json) {
  const kept = keptValues();
  /** @type {string[]} */
  const missing = [];
  const text = json.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, /** @type {string} */ name) => {
    const value = kept[name];
    if (value !== undefined) return JSON.stringify(value).slice(1, -1);
    missing.push(name);
    return placeholder;
  });
  return { json: text, missing };
}

/** @param {Record<string, unknown>} headers @returns {Record<string, string>} headers to send */
function filledHeaders(headers) {
  const sent = Object.entries(headers).flatMap(([name, value]) => {
    const { json, missing } = filled(JSON.stringify(String(value)));
    // Without a log-in there is no token to send.
    return missing.length > 0 ? [] : [[name.toLowerCase(), JSON.parse(json)]];
  });
  return Object.fromEntries(sent);
}

/**
 * Sends an operation. GraphiQL shows errors with their stack; therefore a missing answer becomes one with a sentence.
 *
 * @param {string} endpoint
 * @param {string} body
 * @param {Record<string, string>} headers
 * @returns {Promise<Answer>}
 */
async function post(endpoint, body, headers) {
  const all = { accept: 'application/json', 'content-type': 'application/json', ...headers };
  const response = await fetch(endpoint, { method: 'POST', headers: all, body }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (text === undefined) return withError('The gateway does not answer. Start it, and run this again.');
  try {
    return JSON.parse(text);
  } catch {
    return withError(`The gateway answered ${response?.status}: ${text.slice(0, 200)}`);
  }
}

/** @param {string} message @returns {Answer} */
const withError = (message) => ({ errors: [{ message }] });

/** @param {Answer} answer @returns {string[]} names of new values for the other tabs */
function keep({ data }) {
  const fresh = Object.fromEntries([...textsOf(data)].filter(([name]) => KEPT_FIELDS.includes(name)));
  const kept = keptValues();
  sessionStorage.setItem(KEPT_UNDER, JSON.stringify({ ...kept, ...fresh }));
  return Object.keys(fresh).filter((name) => fresh[name] !== kept[name]);
}

/** @param {string} url */
function downloadLink(url) {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.textContent = 'Download the report';
  return link;
}

/** @param {readonly string[]} names */
const placeholders = (names) => names.map((name) => `{{${name}}}`).join(', ');

/** @param {Answer} answer @param {string | undefined} authorization @param {readonly string[]} missing */
function remarksOn(answer, authorization, missing) {
  /** @type {(string | Element)[]} */
  const remarks = [];
  if (answer.errors?.some(({ extensions }) => extensions?.code === 'UnAuthenticated')) {
    remarks.push(refusal(authorization));
  }
  if (missing.length > 0) {
    remarks.push(`${placeholders(missing)} stands for nothing yet: run the operation that answers it first.`);
  }
  const kept = keep(answer);
  if (kept.length > 0) remarks.push(`Kept for all tabs: ${placeholders(kept)}.`);
  if (isUnfinished(answer)) remarks.push('The job is asked for every second until it has ended.');
  const urls = [...textsOf(answer.data)].filter(([name]) => name === DOWNLOAD_FIELD).map(([, url]) => url);
  links.push(...urls);
  return [...remarks, ...urls.map(downloadLink)];
}

/** @param {string | undefined} authorization */
function refusal(authorization) {
  if (authorization === undefined) return 'No token was sent: log in with the first tab, and run this again.';
  if (!authorization.startsWith(BEARER)) {
    return 'The Authorization header has to begin with “Bearer ”, one space included; the token follows.';
  }
  return 'The token in the Authorization header is not valid, or not any more: log in again.';
}

/** @param {Answer} answer possibly the status of an unfinished job */
function isUnfinished({ data }) {
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((field) => field?.completed === false);
}

/** Polls until the job ends. @param {Answer} first @param {() => Promise<Answer>} again */
const watched = (first, again) => ({
  /** @param {Watcher} watcher */
  subscribe({ next, error, complete }) {
    let isOver = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const step = (/** @type {Answer} */ answer) => {
      // Another tab may be open now, which would show the answer.
      if (isOver) return;
      next(answer);
      if (isUnfinished(answer)) timer = setTimeout(() => void again().then(step, error), WATCH_INTERVAL_MS);
      else complete();
    };
    step(first);
    return {
      unsubscribe() {
        isOver = true;
        clearTimeout(timer);
      },
    };
  },
});

/** Prefixes names of tabs and history, because other tools may run at the same address. */
const ownName = (/** @type {string} */ name) => `${KEPT_UNDER}:${name}`;
const ownNames = () => Object.keys(localStorage).filter((name) => name.startsWith(ownName('')));

/** @param {string} field of the last open tab @returns {string | null} */
function ofOpenTab(field) {
  const { tabs = [], activeTabIndex = 0 } = JSON.parse(localStorage.getItem(ownName('graphiql:tabState')) ?? '{}');
  return tabs[activeTabIndex]?.[field] ?? null;
}

/** Storage of GraphiQL for tabs and history. */
const storage = {
  getItem(/** @type {string} */ name) {
    // GraphiQL stores these twice, and opens another tab if they differ from the tab's own.
    const [, field] = /^graphiql:(query|variables|headers)$/.exec(name) ?? [];
    return field === undefined ? localStorage.getItem(ownName(name)) : ofOpenTab(field);
  },
  setItem: (/** @type {string} */ name, /** @type {string} */ text) => localStorage.setItem(ownName(name), text),
  removeItem: (/** @type {string} */ name) => localStorage.removeItem(ownName(name)),
  clear: () => ownNames().forEach((name) => localStorage.removeItem(name)),
  get length() {
    return ownNames().length;
  },
};

/** Id of the open tab. */
let openTab = ofOpenTab('id');

/** Shows the variables of a newly opened tab, if it has any. @param {Tabs} state */
function showVariables({ tabs, activeTabIndex }) {
  const tab = tabs[activeTabIndex];
  // GraphiQL calls this after edits as well.
  if (!tab || tab.id === openTab) return;
  openTab = tab.id;
  if (!tab.variables) return;
  for (const button of document.querySelectorAll('.graphiql-editor-tools button'))
    if (button instanceof HTMLElement && button.textContent === 'Variables') button.click();
}

/** @param {string} endpoint */
function fetcherOf(endpoint) {
  /** @param {Operation} operation @param {{ headers?: Record<string, unknown> }} [options] */
  return async ({ query, variables, operationName }, { headers = {} } = {}) => {
    // In a newly opened tab, this is still the name of the operation before.
    const isKnown = operationName && query.includes(operationName);
    const request = JSON.stringify({ query, variables, ...(isKnown && { operationName }) });
    const ask = async () => {
      const { json, missing } = filled(request);
      const sent = filledHeaders(headers);
      const answer = await post(endpoint, json, sent);
      if (operationName !== INTROSPECTION) say(remarksOn(answer, sent['authorization'], missing));
      return answer;
    };
    const first = await ask();
    return isUnfinished(first) ? watched(first, ask) : first;
  };
}

/** Position of the last mouse press, in pixels; a move by more than a tremor selects text. */
let pressedAt = { x: 0, y: 0 };
const MAX_TREMOR = 4;
document.addEventListener('mousedown', ({ clientX, clientY }) => (pressedAt = { x: clientX, y: clientY }), {
  capture: true,
});
// The editor opens links only with the control key, and hides the event target from other listeners.
document.addEventListener('click', (event) => {
  const moved = Math.hypot(event.clientX - pressedAt.x, event.clientY - pressedAt.y);
  if (event.ctrlKey || event.metaKey || moved > MAX_TREMOR) return;
  const link = document.elementFromPoint(event.clientX, event.clientY)?.closest('.result-window .detected-link');
  // A wrapped link is shown in pieces.
  const url = link && links.findLast((each) => each.includes(link.textContent));
  if (url) downloadLink(url).click();
});

/** Global of GraphiQL. @type {{ renderYogaGraphiQL: Render }} */
const graphiql = Reflect.get(globalThis, 'YogaGraphiQL');
const { renderYogaGraphiQL } = graphiql;
graphiql.renderYogaGraphiQL = (root, { endpoint, ...options }) => {
  say(['Run the tabs from left to right: the token of the log-in and the id of the job are filled in.']);
  // By default every change is written into the address and comes back as a separate tab.
  const onEditQuery = () => undefined;
  renderYogaGraphiQL(root, {
    ...options,
    fetcher: fetcherOf(String(endpoint)),
    storage,
    onEditQuery,
    onTabChange: showVariables,
  });
};

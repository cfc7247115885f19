const STORED = 'outdated-page-loaded-again';
const AGAIN_AFTER_MS = 60_000;

/**
 * Loads the page again, because the gateway no longer lists its operations (`OperationNotListed`). Within a minute of the
 * last time nothing is done: the page that is served is as old, and another load would not help.
 */
export function loadPageAgain(): void {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(STORED)) < AGAIN_AFTER_MS) return;
  sessionStorage.setItem(STORED, String(now));
  location.reload();
}

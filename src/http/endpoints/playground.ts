import { readFile } from 'node:fs/promises';
import type { Context, Middleware } from 'koa';
import { type PlaygroundLogin, exampleTabs, TOKEN_HEADERS } from '../playground/tabs.js';
import { loadOnce } from '../../waits.js';
import { pagePolicy } from './page-policy.js';

/**
 * Serves the interactive GraphQL tool (specification, "GraphQL playground"), for development only. It is one page
 * without references to other hosts. Its package is large, so it is loaded at the first request.
 *
 * @param endpoint path of the GraphQL endpoint
 */
export function playground(endpoint: string, login: PlaygroundLogin | undefined): Middleware {
  const page = loadOnce(async () => {
    const html = await playgroundHtml(endpoint, login);
    return { html, policy: contentSecurityPolicy(html) };
  });
  return async (ctx) => {
    const { html, policy } = await page();
    ctx.set('Content-Security-Policy', policy);
    ctx.set('X-Frame-Options', 'DENY');
    ctx.type = 'html';
    ctx.body = html;
  };
}

/** Allows only the page's own script; editors run in workers that the page creates from its own text. */
function contentSecurityPolicy(html: string): string {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  return pagePolicy(script, { directives: ['worker-src blob:'] });
}

/** Redirects to the playground. @param path of the playground */
export function toPlayground(path: string): Middleware {
  return (ctx) => lead(ctx, path);
}

/** Redirects browsers that open the GraphQL endpoint to the playground; programs pass. */
export function browsersToPlayground(path: string): Middleware {
  return (ctx, next) => {
    if (ctx.method !== 'GET') return next();
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') !== 'html') return next();
    lead(ctx, path);
    return undefined;
  };
}

function lead(ctx: Context, path: string): void {
  ctx.redirect(`${path}${ctx.search}`);
  // The default text of a redirection is useless and would repeat the caller's input.
  ctx.body = '';
}

/** Files that are not compiled, at the same depth from sources and build. */
const SCRIPT = new URL('../../../src/http/playground/page.js', import.meta.url);
const STYLE = new URL('../../../src/http/playground/page.css', import.meta.url);

/** Code that starts GraphiQL in the page. */
const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/** Builds the page from GraphiQL, `page.js` and `page.css`. @param endpoint path of the GraphQL endpoint */
async function playgroundHtml(endpoint: string, login: PlaygroundLogin | undefined): Promise<string> {
  const [{ renderGraphiQL }, script, style] = await Promise.all([
    import('@graphql-yoga/render-graphiql'),
    readFile(SCRIPT, 'utf8'),
    readFile(STYLE, 'utf8'),
  ]);
  const html = renderGraphiQL({
    endpoint,
    title: 'Gateway playground',
    headers: TOKEN_HEADERS,
    defaultTabs: exampleTabs(login),
  });
  const withHistory = replaced(html, /plugins:\[(\w+)\](?=,schemaDescription)/, (_, explorer = '') => {
    return `plugins:[${historyOf(html)},${explorer}]`;
  });
  const styled = replaced(withHistory, /(?=<\/style>)/, () => style);
  return replaced(styled, START, () => `{\n${script}}\n${START}`);
}

/** Finds GraphiQL's history plugin, which the package leaves out of the page. @returns its name in the script */
function historyOf(html: string): string {
  const [, history] = /const (\w+)=\{title:"History"/.exec(html) ?? [];
  if (history === undefined) throw new Error('The package of the playground has no history any more.');
  return history;
}

/** @throws {Error} the package of GraphiQL has changed */
function replaced(html: string, what: string | RegExp, by: (...found: string[]) => string): string {
  const changed = html.replace(what, by);
  if (changed === html) throw new Error(`The package of the playground has changed: it has no ${what} any more.`);
  return changed;
}

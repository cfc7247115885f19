import { readFile } from 'node:fs/promises';
import type { Context, Middleware } from 'koa';
import { type PlaygroundLogin, exampleTabs, TOKEN_HEADERS } from '../playground/tabs.js';
import { loadOnce } from '../../waits.js';
import { page, PageFile } from './page.js';

/** The interactive GraphQL tool (specification, "GraphQL playground"), for development only: a page and its files. */
export interface Playground {
  readonly page: Middleware;
  readonly script: Middleware;
  readonly style: Middleware;
}

/**
 * Creates the playground, without references to other hosts. Its package is large: it is loaded at the first request.
 *
 * @param path of the page, where `{path}/page.js` and `{path}/page.css` are its files
 * @param endpoint path of the GraphQL endpoint
 */
export function playground(path: string, endpoint: string, login: PlaygroundLogin | undefined): Playground {
  const parts = loadOnce(() => readParts(endpoint, login));
  const script = new PageFile(`${path}/page.js`, 'text/javascript', async () => Buffer.from((await parts()).script));
  const style = new PageFile(`${path}/page.css`, 'text/css', async () => Buffer.from((await parts()).style));
  return {
    page: page(async () => pageWith(await script.url(), await style.url())),
    script: script.serve(),
    style: style.serve(),
  };
}

const TITLE = 'Gateway playground';

function pageWith(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<h1>${TITLE}</h1>
<noscript>This page needs JavaScript.</noscript>
<div id="root"></div>
<p id="playground-note" role="status"></p>
</main>
<script src="${script}"></script>
</body>
</html>
`;
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

/** Text of the two files of the page. */
interface Parts {
  readonly script: string;
  readonly style: string;
}

/** Builds the files from GraphiQL, `page.js` and `page.css`. @param endpoint path of the GraphQL endpoint */
async function readParts(endpoint: string, login: PlaygroundLogin | undefined): Promise<Parts> {
  const [{ renderGraphiQL }, ownScript, ownStyle] = await Promise.all([
    import('@graphql-yoga/render-graphiql'),
    readFile(SCRIPT, 'utf8'),
    readFile(STYLE, 'utf8'),
  ]);
  const html = renderGraphiQL({ endpoint, title: TITLE, headers: TOKEN_HEADERS, defaultTabs: exampleTabs(login) });
  const [, style = '', script = ''] =
    /<style>(.*?)<\/style>.*?<script>(.*)<\/script>/s.exec(html) ?? hasChanged('style and script');
  const withHistory = replaced(script, /plugins:\[(\w+)\](?=,schemaDescription)/, (_, explorer = '') => {
    return `plugins:[${historyOf(script)},${explorer}]`;
  });
  return { script: replaced(withHistory, START, () => `{\n${ownScript}}\n${START}`), style: `${style}\n${ownStyle}` };
}

/** Finds GraphiQL's history plugin, which the package leaves out of the page. @returns its name in the script */
function historyOf(script: string): string {
  const [, history = ''] = /const (\w+)=\{title:"History"/.exec(script) ?? hasChanged('history');
  return history;
}

function replaced(text: string, what: string | RegExp, by: (...found: string[]) => string): string {
  const changed = text.replace(what, by);
  return changed === text ? hasChanged(String(what)) : changed;
}

/** @throws {Error} the package of GraphiQL has changed */
function hasChanged(what: string): never {
  throw new Error(`The package of the playground has changed: it has no ${what} any more.`);
}

import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { type PlaygroundLogin, exampleTabs, TOKEN_HEADERS } from '../playground/tabs.js';
import { packageFile } from '../../../base/package-file.js';
import { loadOnce } from '../../../base/waits.js';
import { page, pageFile } from './page.js';

/**
 * Creates the interactive GraphQL tool (specification, "GraphQL playground"), for development only: a page and its
 * files `{path}/page.js` and `{path}/page.css`. The package is large and loaded at the first request.
 *
 * @param endpoint path of the GraphQL endpoint
 */
export function playground(path: string, endpoint: string, login: PlaygroundLogin | undefined) {
  const parts = loadOnce(() => readParts(endpoint, login));
  const script = pageFile(`${path}/page.js`, 'text/javascript', async () => Buffer.from((await parts()).script));
  const style = pageFile(`${path}/page.css`, 'text/css', async () => Buffer.from((await parts()).style));
  const shown = page({ title: TITLE, script, style, content: CONTENT });
  return { page: shown, script: script.serve, style: style.serve };
}

const TITLE = 'Gateway playground';

const CONTENT = `<main>
<h1>${TITLE}</h1>
<noscript>This page needs JavaScript.</noscript>
<div id="root"></div>
<p id="playground-note" role="status"></p>
</main>`;

/** Redirects to the playground. @param path of the playground */
export function toPlayground(path: string): Middleware {
  return (ctx) => {
    ctx.redirect(`${path}${ctx.search}`);
    // The default text of a redirection is useless and would repeat the caller's input.
    ctx.body = '';
  };
}

/** Redirects browsers that open the GraphQL endpoint to the playground; programs pass. */
export function browsersToPlayground(path: string): Middleware {
  const redirect = toPlayground(path);
  return (ctx, next): unknown => {
    if (ctx.method !== 'GET') return next();
    ctx.vary('Accept');
    return ctx.accepts('json', 'html') === 'html' ? redirect(ctx, next) : next();
  };
}

const SCRIPT = packageFile('src/gateway/http/playground/page.js');
const STYLE = packageFile('src/gateway/http/playground/page.css');

/** Code that starts GraphiQL in the page. */
const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/** Builds the two files from GraphiQL, `page.js` and `page.css`. */
async function readParts(endpoint: string, login: PlaygroundLogin | undefined) {
  const [{ renderGraphiQL }, ownScript, ownStyle] = await Promise.all([
    import('@graphql-yoga/render-graphiql'),
    readFile(SCRIPT, 'utf8'),
    readFile(STYLE, 'utf8'),
  ]);
  const html = renderGraphiQL({ endpoint, title: TITLE, headers: TOKEN_HEADERS, defaultTabs: exampleTabs(login) });
  const [, style = '', script = ''] =
    /<style>(.*?)<\/style>.*?<script>(.*)<\/script>/s.exec(html) ?? hasChanged('style and script');
  // The package leaves GraphiQL's history plugin out of the page.
  const [, history = ''] = /const (\w+)=\{title:"History"/.exec(script) ?? hasChanged('history');
  const withHistory = replaced(script, /plugins:\[(\w+)\](?=,schemaDescription)/, (_, explorer = '') => {
    return `plugins:[${history},${explorer}]`;
  });
  return { script: replaced(withHistory, START, () => `{\n${ownScript}}\n${START}`), style: `${style}\n${ownStyle}` };
}

function replaced(text: string, what: string | RegExp, by: (...found: string[]) => string): string {
  const changed = text.replace(what, by);
  return changed === text ? hasChanged(String(what)) : changed;
}

/** @throws {Error} the package of GraphiQL has changed */
function hasChanged(what: string): never {
  throw new Error(`The package of the playground has changed: it has no ${what} any more.`);
}

import { readFile } from 'node:fs/promises';
import { exampleTabs, TOKEN_HEADERS, type PlaygroundLogin } from './tabs.js';

/** Neither is compiled, and both are at the same depth from the sources and from the build. */
const SCRIPT = new URL('../../../src/http/playground/page.js', import.meta.url);
const STYLE = new URL('../../../src/http/playground/page.css', import.meta.url);

/** Where the page starts GraphiQL. */
const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/** The page: GraphiQL, and what stands in `page.js` and `page.css`. @param endpoint path of the GraphQL endpoint */
export async function playgroundHtml(endpoint: string, login: PlaygroundLogin | undefined): Promise<string> {
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

/** GraphiQL brings a history, which the package leaves out of the page. @returns what it is called within the script */
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

import type { Context, Middleware } from 'koa';
import { playgroundHtml } from '../playground/html.js';
import type { PlaygroundLogin } from '../playground/tabs.js';
import { loadOnce } from './load-once.js';
import { pagePolicy } from './page-policy.js';

/**
 * The interactive GraphQL tool (specification, "GraphQL playground"), for development only. It is one page
 * without any reference to another host. Its package is large, so it is loaded at the first request.
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

/** Only the page's own script runs; editors run in workers that the page makes of its own text. */
function contentSecurityPolicy(html: string): string {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  return pagePolicy(script, { directives: ['worker-src blob:'] });
}

/** Leads to the playground. @param path of it */
export function toPlayground(path: string): Middleware {
  return (ctx) => lead(ctx, path);
}

/** Leads a browser that opens the address of the GraphQL endpoint to the playground, and lets programs pass. */
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
  // Nobody reads the text of a redirection, and it would repeat what the caller wrote.
  ctx.body = '';
}

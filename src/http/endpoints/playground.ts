import type { Middleware } from 'koa';
import { loadOnce } from './load-once.js';
import { pagePolicy } from './page-policy.js';

/** A tab that the playground opens with. */
interface ExampleTab {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

/** A login that works, for the examples. */
export interface PlaygroundLogin {
  readonly loginId: string;
  readonly password: string;
}

/**
 * The interactive GraphQL tool (specification, "GraphQL playground"), for development only. It is one page
 * without any reference to another host. Its package is large, so it is loaded at the first request.
 *
 * @param endpoint path of the GraphQL endpoint
 */
export function playground(endpoint: string, login: PlaygroundLogin | undefined): Middleware {
  const page = loadOnce(() => render(endpoint, login));
  return async (ctx) => {
    const { html, policy } = await page();
    ctx.set('Content-Security-Policy', policy);
    ctx.set('X-Frame-Options', 'DENY');
    ctx.type = 'html';
    ctx.body = html;
  };
}

async function render(endpoint: string, login?: PlaygroundLogin): Promise<{ html: string; policy: string }> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({ endpoint, title: 'Gateway playground', defaultTabs: exampleTabs(login) });
  return { html, policy: contentSecurityPolicy(html) };
}

/** Only the page's own script runs; editors run in workers that the page makes of its own text. */
function contentSecurityPolicy(html: string): string {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  return pagePolicy(script, { directives: ['worker-src blob:'] });
}

const TOKEN_HEADERS = JSON.stringify({ Authorization: 'Bearer <accessToken of the first tab>' }, null, 2);

function exampleTabs(login: PlaygroundLogin = { loginId: '', password: '' }): ExampleTab[] {
  return [
    {
      query: [
        '# 1. Log in. Copy the accessToken into',
        '#    the headers of the other tabs.',
        'mutation LogIn {',
        // Not as variables: of the tab that is open first, the page shows none.
        `  userLogin(loginId: ${JSON.stringify(login.loginId)}, password: ${JSON.stringify(login.password)}) {`,
        '    otpRequired',
        '    session { accessToken refreshToken expiresIn }',
        '  }',
        '}',
      ].join('\n'),
    },
    {
      query: [
        '# 2. List mobiles with position, address',
        '#    and voice presence.',
        'query Mobiles {',
        '  mobiles(first: 10) {',
        '    edges {',
        '      node {',
        '        id num name',
        '        tags { name }',
        '        position { latitude longitude speedKmh address }',
        '        voice { online talkGroup }',
        '      }',
        '    }',
        '    pageInfo { hasNextPage endCursor }',
        '  }',
        '}',
      ].join('\n'),
      headers: TOKEN_HEADERS,
    },
    {
      query: [
        '# 3. Order a driving report. Copy the jobId',
        '#    into the variables of the next tab.',
        'mutation OrderReport($input: DrivingReportsInput!) {',
        '  startDrivingReports(input: $input) { jobId createdAt }',
        '}',
      ].join('\n'),
      variables: JSON.stringify(
        {
          input: {
            date: '2026-11-20T00:00:00+09:00',
            drivers: [
              { mobileId: '1', employeeCode: 'E-1001', employeeName: '佐藤 健一' },
              { mobileId: '2', employeeCode: 'E-1002', employeeName: 'Anna Schmidt' },
            ],
          },
        },
        null,
        2,
      ),
      headers: TOKEN_HEADERS,
    },
    {
      query: [
        '# 4. Poll the report until it is completed.',
        'query ReportStatus($jobId: ID!) {',
        '  fetchDrivingReportsStatus(jobId: $jobId) {',
        '    state completed progress { done total }',
        '    status errors downloadUrl',
        '  }',
        '}',
      ].join('\n'),
      variables: JSON.stringify({ jobId: '' }, null, 2),
      headers: TOKEN_HEADERS,
    },
  ];
}

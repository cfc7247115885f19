/** A tab that the playground opens with. */
export interface ExampleTab {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

/** A login that works, for the examples. */
export interface PlaygroundLogin {
  readonly loginId: string;
  readonly password: string;
}

/** Headers of a tab: the page puts the token of the last log-in in the place of its name. */
export const TOKEN_HEADERS = JSON.stringify({ Authorization: 'Bearer {{accessToken}}' }, null, 2);

/** From the log-in to the finished report; each tab goes on from what the one before answered. */
export function exampleTabs(login: PlaygroundLogin = { loginId: '', password: '' }): ExampleTab[] {
  return [
    {
      query: [
        '# 1. Log in. The accessToken goes with',
        '#    the other tabs, as their headers say.',
        'mutation LogIn {',
        // Not as variables: of the tab that is open first, the page shows none.
        `  userLogin(loginId: ${JSON.stringify(login.loginId)}, password: ${JSON.stringify(login.password)}) {`,
        '    otpRequired',
        '    session { accessToken refreshToken expiresIn }',
        '  }',
        '}',
      ].join('\n'),
      headers: TOKEN_HEADERS,
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
        '# 3. Order a driving report. The jobId',
        '#    goes into the variables of the next tab.',
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
        '# 4. Watch the report until it is completed.',
        '#    Click the downloadUrl for the PDF.',
        'query ReportStatus($jobId: ID!) {',
        '  fetchDrivingReportsStatus(jobId: $jobId) {',
        '    state completed progress { done total }',
        '    status errors downloadUrl',
        '  }',
        '}',
      ].join('\n'),
      variables: JSON.stringify({ jobId: '{{jobId}}' }, null, 2),
      headers: TOKEN_HEADERS,
    },
  ];
}

/** An initial tab of the playground. Lines of 48 characters are seen whole in a window of 1280 pixels. */
export interface ExampleTab {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

/** A valid login for the examples. */
export interface PlaygroundLogin {
  readonly loginId: string;
  readonly password: string;
}

/** Headers of a tab; the page replaces the placeholder by the token of the last log-in. */
export const TOKEN_HEADERS = JSON.stringify({ Authorization: 'Bearer {{accessToken}}' }, null, 2);

/** Creates tabs from log-in to finished report; each tab uses the answer of the tab before. */
export function exampleTabs(login: PlaygroundLogin = { loginId: '', password: '' }): ExampleTab[] {
  return [
    {
      query: [
        '# 1. Log in. The accessToken goes with',
        '#    the other tabs, as their headers say.',
        'mutation LogIn {',
        // No variables: the page shows none for the first open tab.
        '  userLogin(',
        `    loginId: ${JSON.stringify(login.loginId)}`,
        `    password: ${JSON.stringify(login.password)}`,
        '  ) {',
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
        '        position {',
        '          latitude longitude speedKmh address',
        '        }',
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
        'mutation OrderReport(',
        '  $input: DrivingReportsInput!',
        ') {',
        '  startDrivingReports(input: $input) {',
        '    jobId createdAt',
        '  }',
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

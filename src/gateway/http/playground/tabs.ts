/** A valid login for the examples. */
export interface PlaygroundLogin {
  readonly loginId: string;
  readonly password: string;
}

/** Headers of a tab; the page replaces the placeholder by the token of the last log-in. */
export const TOKEN_HEADERS = JSON.stringify({ Authorization: 'Bearer {{accessToken}}' }, null, 2);

const LIST_MOBILES = `# 2. List mobiles with position, address
#    and voice presence.
query Mobiles {
  mobiles(first: 10) {
    edges {
      node {
        id num name
        tags { name }
        position {
          latitude longitude speedKmh address
        }
        voice { online talkGroup }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

const ORDER_REPORT = `# 3. Order a driving report. The jobId
#    goes into the variables of the next tab.
mutation OrderReport(
  $input: DrivingReportsInput!
) {
  startDrivingReports(input: $input) {
    jobId createdAt
  }
}`;

const REPORT_INPUT = {
  date: '2026-11-20T00:00:00+09:00',
  drivers: [
    { mobileId: '1', employeeCode: 'E-1001', employeeName: '佐藤 健一' },
    { mobileId: '2', employeeCode: 'E-1002', employeeName: 'Anna Schmidt' },
  ],
};

const WATCH_REPORT = `# 4. Watch the report until it is completed.
#    Click the downloadUrl for the PDF.
query ReportStatus($jobId: ID!) {
  fetchDrivingReportsStatus(jobId: $jobId) {
    state completed progress { done total }
    status errors downloadUrl
  }
}`;

/** Has no variables, because the page shows none for the first open tab. */
function logIn({ loginId, password }: PlaygroundLogin): string {
  return `# 1. Log in. The accessToken goes with
#    the other tabs, as their headers say.
mutation LogIn {
  userLogin(
    loginId: ${JSON.stringify(loginId)}
    password: ${JSON.stringify(password)}
  ) {
    otpRequired
    session { accessToken refreshToken expiresIn }
  }
}`;
}

/** Creates an initial tab. A window of 1280 pixels shows lines of 48 characters whole. */
function tab(query: string, variables?: object) {
  return { query, headers: TOKEN_HEADERS, ...(variables && { variables: JSON.stringify(variables, null, 2) }) };
}

/** Creates tabs from log-in to finished report; each tab uses the answer of the tab before. */
export function exampleTabs(login: PlaygroundLogin = { loginId: '', password: '' }) {
  return [
    tab(logIn(login)),
    tab(LIST_MOBILES),
    tab(ORDER_REPORT, { input: REPORT_INPUT }),
    tab(WATCH_REPORT, { jobId: '{{jobId}}' }),
  ];
}

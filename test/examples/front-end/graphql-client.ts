import type { ErrorCode } from 'vehicle-location-gateway-front-end';
import type { TypedDocumentString } from './generated/graphql.js';
import { loadPageAgain } from './outdated-page.js';
import { pass } from './patience.js';
import { RequestError } from './request-error.js';

/** Data of an operation. A root field that is null has an error, which is thrown, so every root field is there. */
export type Answer<Data> = { readonly [Field in keyof Data]: NonNullable<Data[Field]> };

/** Asks the gateway for something. */
export interface GraphQLClient {
  /** @throws {RequestError} a root field, or the request as a whole, was refused */
  request<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: NoInfer<Variables>,
    options?: RequestOptions,
  ): Promise<Answer<Data>>;
}

/** How something is asked for. */
export interface RequestOptions {
  readonly accessToken?: string;
  /** Ends the request, for instance when its page is left. */
  readonly signal?: AbortSignal | undefined;
}

/** Which gateway, and how it wants to be asked. */
export interface GraphQLClientOptions {
  /** Where the gateway is, base path included. */
  readonly gatewayUrl: string;
  /** Names documents by their hashes, for a gateway that knows them (`PERSISTED_OPERATIONS_FILE`). */
  readonly sendsHashes?: boolean;
  /** Gets the missing parts of an answer that can be used otherwise, such as addresses while they cannot be had. */
  readonly onGap?: (error: RequestError) => void;
  /** Called when no gateway knows the hash of a document any more; loads the page again by default. */
  readonly onOutdated?: () => void;
}

/** While gateways are replaced one after another, the next one may know a hash. */
const TRIES = 4;
const PAUSE_MS = 500;

const UNREACHABLE = 'The service cannot be reached. Check your connection and try again.';

/** Makes a client; it needs nothing but `fetch`. */
export function createGraphQLClient({
  gatewayUrl,
  sendsHashes = false,
  onGap,
  onOutdated = loadPageAgain,
}: GraphQLClientOptions): GraphQLClient {
  const ask: GraphQLClient['request'] = async <Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
    { accessToken, signal }: RequestOptions = {},
  ) => {
    const sha256Hash: unknown = document.__meta__?.['hash'];
    const operation = sendsHashes
      ? { extensions: { persistedQuery: { version: 1, sha256Hash } } }
      : { query: document.toString() };
    const lost = (cause: unknown): never => {
      if (signal?.aborted === true) throw cause;
      throw new RequestError('ServiceUnavailable', UNREACHABLE, { cause });
    };
    const response = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify({ ...operation, variables }),
      signal: signal ?? null,
    }).catch(lost);
    const result = readResult<Data>(await response.text().catch(lost));
    // A proxy on the way answers in its own words.
    if (result === undefined) throw new RequestError('ServiceUnavailable', UNREACHABLE, detailsOf(response));
    const { data, errors = [] } = result;
    for (const error of errors) {
      const refused = toRequestError(error, response);
      // Errors that stand deeper leave the rest of the answer as good as it is.
      if ((error.path?.length ?? 0) <= 1) throw refused;
      onGap?.(refused);
    }
    return data as Answer<Data>; // of a root field that is null there was an error
  };
  return {
    async request(document, variables, options = {}) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await ask(document, variables, options);
        } catch (error) {
          if (!(error instanceof RequestError) || error.reason !== 'OperationNotListed') throw error;
          if (tries === TRIES) {
            onOutdated();
            throw error;
          }
          await pass(PAUSE_MS, options.signal);
        }
      }
    },
  };
}

/** GraphQL specification, "Response Format"; `extensions` as the enum ErrorCode of the schema describes them. */
interface Result<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly ResultError[];
}

interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: ErrorCode; readonly reason?: string; readonly retryAfterSeconds?: number };
}

/** Reads what the gateway answers: data, or errors with codes. @returns undefined if another server answered */
function readResult<Data>(text: string): Result<Data> | undefined {
  try {
    const result = JSON.parse(text) as Partial<Result<Data>> | null; // looked at below
    const isOurs =
      result?.data !== undefined || result?.errors?.every(({ extensions }) => 'code' in extensions) === true;
    return isOurs ? result : undefined;
  } catch {
    return undefined;
  }
}

function toRequestError({ message, extensions }: ResultError, response: Response): RequestError {
  const { retryAfterSeconds, requestId } = detailsOf(response);
  const seconds = extensions.retryAfterSeconds ?? retryAfterSeconds;
  return new RequestError(extensions.code, message, {
    reason: extensions.reason,
    retryAfterSeconds: seconds,
    requestId,
  });
}

/** The gateway lets scripts of other origins read both headers. */
function detailsOf({ headers }: Response): { retryAfterSeconds: number | undefined; requestId: string | undefined } {
  const retryAfter = headers.get('retry-after') ?? '';
  return {
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
}

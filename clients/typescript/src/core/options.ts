/** Settings of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** For the whole call with its retries; 60,000 by default, and none for streams. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** How often a call is tried again after a failure that may pass; 2 by default. */
  retries?: number;
}

export interface Keyed {
  /**
   * Requests with the same key are carried out once. By default every call has a key of its own, the same on each try.
   * With `false`, and with `generateSecret` in its body, it has none, and is not repeated if it may have been carried
   * out: replies under a key are stored, and such a secret is shown only once.
   */
  idempotencyKey?: string | false;
}

export interface IfMatch {
  /** The revision, or the `ETag`, that was read: the call fails with `PRECONDITION_FAILED` if the record has changed. */
  ifMatch?: number | string;
}

export interface Negotiated<T extends string> {
  /** The content type of the reply, which is returned as it comes. */
  accept: T;
}

export type AnyOptions = CallOptions & Keyed & IfMatch & Partial<Negotiated<string>>;

/** What a log hook learns of each try: never a body, a header or a credential. */
export interface Try {
  method: string;
  path: string;
  /** 1 for the first. */
  attempt: number;
  ms: number;
  /** Absent if there was no reply. */
  status?: number;
  requestId?: string;
}

export interface ClientOptions {
  /** The address of the platform, such as `https://bi.example.com`; `/api` is added if it is missing. */
  url: string;
  /** An API key, or a function that returns the token for the next request. */
  apiKey?: string;
  token?: () => string | Promise<string>;
  timeoutMs?: number;
  retries?: number;
  headers?: Record<string, string>;
  /** In the place of the global `fetch`. */
  fetch?: typeof fetch;
  onTry?: (made: Try) => void;
}

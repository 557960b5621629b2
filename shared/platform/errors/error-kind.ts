/** Determines the HTTP status (`shared/platform/http/problem.ts`). */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'timeout'
  | 'conflict'
  | 'stale'
  | 'locked'
  | 'tooLarge'
  | 'unsupportedMedia'
  | 'unprocessable'
  | 'tooMany'
  | 'internal'
  | 'badGateway'
  | 'unavailable';

/** Codes with their kind and the message for clients. */
export type ErrorTable = Record<string, readonly [ErrorKind, string]>;

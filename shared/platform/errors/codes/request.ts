import type { ErrorTable } from '../error-kind.ts';

export const REQUEST_ERRORS = {
  // The request itself
  INVALID_JSON: [
    'invalid',
    'The request body is not valid JSON. Check its quotes, commas and brackets, and send it as UTF-8.',
  ],
  VALIDATION_FAILED: [
    'invalid',
    'The request does not match the schema of the operation. Correct every place listed in `errors`.',
  ],
  STALE_WRITE: [
    'conflict',
    'Another request changed the record at the same time. Read it again and repeat the change.',
  ],
  REFERENCED: ['conflict', 'The record is in use. First change or delete what `referencedBy` lists.'],
  PRECONDITION_FAILED: [
    'stale',
    'The record has changed since the revision in If-Match. Read it again and use its new ETag.',
  ],
  CURSOR_INVALID: [
    'invalid',
    'The cursor is not valid. Use the `nextCursor` of the previous page unchanged, or omit it to start over.',
  ],
  CURSOR_MISMATCH: [
    'invalid',
    'The cursor belongs to another list or to other filters. Use it with the request that returned it.',
  ],
  CURSOR_EXPIRED: ['notFound', 'The cursor is older than 24 hours. Start the list again without a cursor.'],
  NOT_ACCEPTABLE: [
    'notAcceptable',
    'The operation offers none of the content types in the Accept header. Ask for application/json.',
  ],
  OFFSET_TOO_LARGE: [
    'invalid',
    'The offset is larger than 10,000. Narrow the list with filters, or page by cursor where offered.',
  ],
  LIST_TOO_LARGE: [
    'invalid',
    'A list of more than 5,000 entries cannot be filtered or sorted this way. Page through it instead.',
  ],
  BODY_TOO_LARGE: [
    'tooLarge',
    'The request body is larger than 1 MiB. Send a smaller one; upload files through a data source.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'unsupportedMedia',
    'The request body is not declared as JSON. Send application/json. For a file, POST /api/data-sources/{id}/uploads, then PUT it to `url`.',
  ],
  ROUTE_NOT_FOUND: ['notFound', 'There is no such endpoint. Check the path against the reference page at /api/docs.'],
  PAGE_NOT_FOUND: ['notFound', 'The documentation has no such page. See /api/docs/guides for what there is.'],
  METHOD_NOT_ALLOWED: [
    'methodNotAllowed',
    'The endpoint does not support this method. Use one of those in the Allow header.',
  ],
  IDEMPOTENCY_IN_PROGRESS: [
    'conflict',
    'A request with this Idempotency-Key is still running. Repeat it after the time in Retry-After.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'unprocessable',
    'This Idempotency-Key was used with a different request. Use a new key for a new request.',
  ],
  INTERNAL: ['internal', 'Something went wrong on our side. Try again; if it persists, report the `requestId`.'],
  SERVICE_BUSY: ['unavailable', 'The service is busy. Try again after the time in Retry-After.'],

  AI_ANSWER_REJECTED: [
    'badGateway',
    'The AI provider answered with something that the rows do not support. Try again.',
  ],
  AI_NOT_CONFIGURED: [
    'unavailable',
    'This deployment has no AI provider, or no key for it. Ask the operator to configure one.',
  ],
  AI_ROWS_PROTECTED: [
    'forbidden',
    'Row-level security or a sensitivity label protects the rows, so they are not sent to the AI provider. Use unprotected data.',
  ],
  AI_UNAVAILABLE: ['unavailable', 'The AI provider returned no usable answer. Try again later.'],

  // Mail
  MAIL_NOT_CONFIGURED: ['unavailable', 'This deployment sends no email. Ask an admin of your workspace for help.'],
} as const satisfies ErrorTable;

/**
 * Headers by which a page of any origin may read a reply: the API takes no cookies, only credentials that the page
 * itself sends.
 */
export const OPEN_TO_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, etag, allow, idempotency-replayed, retry-after, x-row-count, x-truncated, x-as-of, x-cache, x-warnings, x-certification',
};

/** What a page of another origin may send. */
export const PREFLIGHT_POLICY = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  headers: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'last-event-id'],
  maxAgeSeconds: 7200,
};

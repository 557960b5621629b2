/** Media types of the files that pages load, by file name extension. */
export const ASSET_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  // Named with its charset like the other files: plain `application/json` is for replies that have a schema.
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

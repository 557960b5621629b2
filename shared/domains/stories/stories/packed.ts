import { gunzipSync, gzipSync } from 'node:zlib';

/** A JSON value as the table stores it: a tree may be nested more deeply than items. */
export const pack = (value: unknown): Uint8Array => gzipSync(JSON.stringify(value));

export const unpack = <T>(packed: unknown): T =>
  JSON.parse(gunzipSync(Buffer.from(packed as Uint8Array)).toString('utf8')) as T;

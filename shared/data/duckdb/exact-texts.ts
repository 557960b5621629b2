import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/**
 * The library decodes texts with this decoder, which drops a byte order mark at the beginning of each text. Call this
 * before reading values. A function, because a bundler drops modules that are imported for their effects.
 */
export function keepByteOrderMarks(): void {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}

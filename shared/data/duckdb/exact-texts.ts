import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/**
 * The library decodes texts with this decoder, which drops a byte order mark at the beginning of each text. Import this
 * module before reading values.
 */
Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });

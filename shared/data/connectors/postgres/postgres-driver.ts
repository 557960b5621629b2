/**
 * The used parts of pg. Most calls of an endpoint group do not connect to a database, so this module must only be
 * imported dynamically and stays a separate file beside the bundle (`infra/build/bundles.ts`).
 */
export { Client } from 'pg';

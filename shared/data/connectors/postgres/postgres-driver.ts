/**
 * What is used of pg. Most calls of an endpoint group dial no database, so this module is only ever imported dynamically and
 * stays a file of its own beside the bundle (`infra/build/bundles.ts`).
 */
export { Client } from 'pg';

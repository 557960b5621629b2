/**
 * What is used of mysql2. Its tables of encodings alone are larger than all else in an endpoint's bundle, so this module is
 * only ever imported dynamically and stays a file of its own beside the bundle (`infra/build/bundles.ts`).
 */
export { createConnection } from 'mysql2';

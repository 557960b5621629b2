/**
 * The used parts of mysql2. Its encoding tables are larger than all other code of an endpoint's bundle, so this module
 * must only be imported dynamically and stays a separate file beside the bundle (`infra/build/bundles.ts`).
 */
export { createConnection } from 'mysql2';

/**
 * The used parts of the libraries that unpack and parse workbooks. Few functions meet one, so this module must only be
 * imported dynamically and stays a separate file beside the bundle (`infra/build/bundles.ts`).
 */
export { SaxesParser } from 'saxes';
export { openPromise } from 'yauzl';

/** A separate file beside the engine's bundle, because only lineage needs its WebAssembly. */
export { analyzeQuery } from '@polyglot-sql/sdk';

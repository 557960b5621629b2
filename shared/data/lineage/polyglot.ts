/** Stays a file of its own beside the engine's bundle: its WebAssembly is for those who ask for lineage alone. */
export { analyzeQuery } from '@polyglot-sql/sdk';

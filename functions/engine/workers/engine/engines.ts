import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { engineOptions } from './limits.ts';

/** Engines for statements; each runs one. */
export const engines = warmPool(engineOptions());

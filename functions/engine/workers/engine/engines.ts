import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { ENGINE } from './limits.ts';

/** Engines for statements; each runs one. */
export const engines = warmPool(ENGINE);

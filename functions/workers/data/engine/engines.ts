import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { engineOptions } from './limits.ts';

/** Instances for statements, one at a time. */
export const engines = warmPool(engineOptions());

import type { EngineOptions } from '../../../../shared/data/duckdb/engine.ts';
import { functionLimits } from '../../../../shared/data/duckdb/function-limits.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';

/** The memory of the function in MB, from Lambda's environment. */
const MEMORY_MB = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 2048);

/** Rows of data sources lie on the scratch disk beside spilled ones. */
export const { OBJECTS, ENGINE, GUARD, clearScratch } = functionLimits({
  name: 'join-sides',
  memoryMb: MEMORY_MB,
  scratchMb: Number(environment('SCRATCH_MB')),
  spillShare: 0.25,
});

/** For the rows of a data source, which pass through it in pieces. */
export const readerOptions = (): EngineOptions => ({ ...ENGINE, memoryLimitMb: Math.floor(MEMORY_MB * 0.15) });

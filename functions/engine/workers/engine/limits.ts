import { functionLimits } from '../../../../shared/data/duckdb/function-limits.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';

export const { OBJECTS, NATIVE, ENGINE, KEPT, GUARD, clearScratch } = functionLimits({
  name: 'engine',
  // From Lambda's environment.
  memoryMb: Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 2048),
  scratchMb: Number(environment('SCRATCH_MB')),
  nativeShare: 1 / 3,
  spillShare: 0.5,
});

import { AppError } from '../../../shared/errors/app-error.ts';
import { type CheckDeps, definitionFaults } from '../../../shared/pipelines/definition-faults.ts';
import type { Validation } from '../schemas.ts';

export async function validatePipeline(
  deps: CheckDeps,
  query: { workspaceId: string; id: string; dag?: unknown },
): Promise<Validation> {
  const stored = await deps.pipelines.get(query.workspaceId, query.id);
  if (!stored) throw new AppError('PIPELINE_NOT_FOUND');
  const dag = query.dag ?? (await deps.dags.get(stored.workspaceId, stored.dagHash));
  const faults = await definitionFaults(deps, query, dag);
  return {
    valid: faults.length === 0,
    issues: faults.map(({ pointer, code, message }) => ({ path: pointer, code, severity: 'error', message })),
  };
}

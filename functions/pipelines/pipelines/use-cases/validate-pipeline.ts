import { type CheckDeps, checkDefinition } from '../../../../shared/domains/pipelines/checks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { PipelineValidation } from '../schemas.ts';

export async function validatePipeline(
  deps: CheckDeps,
  query: { workspaceId: string; id: string; dag?: unknown },
): Promise<PipelineValidation> {
  const stored = await deps.pipelines.get(query.workspaceId, query.id);
  if (!stored) throw new AppError('PIPELINE_NOT_FOUND');
  const saved = await deps.dags.get(stored.workspaceId, stored.dagHash);
  const { issues } = await checkDefinition(deps, query, query.dag ?? saved, saved);
  return {
    valid: issues.length === 0,
    issues: issues.map(({ pointer, code, message }) => ({ path: pointer, code, severity: 'error', message })),
  };
}

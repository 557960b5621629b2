import { type FindBroken, refuseBreaking, removalOf } from '../../../../shared/domains/catalog/lineage/index.ts';
import type { DagStore, Pipeline } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ListRequest } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { type PageOf, viewPage } from '../../../../shared/platform/storage/page.ts';
import type { PipelineRepository } from '../repository.ts';

interface Deps {
  pipelines: PipelineRepository;
  now(): Date;
}

export async function listPipelines(
  deps: Deps,
  query: ListRequest & { workspaceId: string },
): Promise<PageOf<Pipeline>> {
  const page = await deps.pipelines.list(query.workspaceId, query);
  return viewPage(page, (items) => deps.pipelines.views(items, deps.now()));
}

export async function getPipeline(deps: Deps, query: { workspaceId: string; id: string }): Promise<Pipeline> {
  const stored = await deps.pipelines.get(query.workspaceId, query.id);
  if (!stored) throw new AppError('PIPELINE_NOT_FOUND');
  const [pipeline] = await deps.pipelines.views([stored], deps.now());
  return pipeline!;
}

/** Throws `REFERENCED` without `force` if anything is made of the datasets that it loads. */
export async function deletePipeline(
  deps: Deps & { dags: DagStore; findBroken: FindBroken },
  { principal, id, force }: { principal: Principal; id: string; force: boolean },
): Promise<void> {
  await onNewest('PIPELINE_CHANGED', async () => {
    const stored = await deps.pipelines.get(principal.workspaceId, id);
    if (!stored) throw new AppError('PIPELINE_NOT_FOUND');
    if (!force) await refuseBreaking(deps.findBroken, principal, removalOf({ type: 'pipeline', id }));
    const dag = await deps.dags.get(stored.workspaceId, stored.dagHash);
    await deps.pipelines.remove(stored, dag, deps.now());
  });
}

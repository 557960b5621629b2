import { type FindBroken, refuseBreaking, removalOf } from '../../../../shared/domains/catalog/lineage/index.ts';
import type { DagStore, Pipeline } from '../../../../shared/domains/pipelines/store/index.ts';
import { permissionOf } from '../../../../shared/domains/tenancy/grants/index.ts';
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
  { principal, ...request }: ListRequest & { principal: Principal },
): Promise<PageOf<Pipeline>> {
  const page = await deps.pipelines.list(principal.workspaceId, request);
  return viewPage(page, (items) => deps.pipelines.views(items, seenBy(deps, principal)));
}

export async function getPipeline(
  deps: Deps,
  { principal, id }: { principal: Principal; id: string },
): Promise<Pipeline> {
  const stored = await deps.pipelines.get(principal.workspaceId, id);
  if (!stored) throw new AppError('PIPELINE_NOT_FOUND');
  const [pipeline] = await deps.pipelines.views([stored], seenBy(deps, principal));
  return pipeline!;
}

const seenBy = ({ now }: Deps, principal: Principal) => ({
  permission: permissionOf(principal, 'pipelines:write'),
  now: now(),
});

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

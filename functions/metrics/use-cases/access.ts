import {
  type GrantedObject,
  type Grantee,
  listAccess,
  type ObjectGrants,
} from '../../../shared/domains/grants/index.ts';
import type { MetricRepository } from '../../../shared/domains/metrics/index.ts';
import type { Cursors } from '../../../shared/platform/http/cursor.ts';
import type { CursorPageOf } from '../../../shared/platform/storage/page.ts';
import type { Access } from '../schemas.ts';
import { findMetric } from './find-metric.ts';

interface Deps {
  metrics: MetricRepository;
  grants: ObjectGrants;
  cursors: Cursors;
  now: () => Date;
}

interface Named {
  workspaceId: string;
  id: string;
}

/** Throws the codes of `Cursors.open`. */
export async function listMetricAccess(
  deps: Deps,
  { limit, cursor, ...named }: Named & { limit: number; cursor?: string },
): Promise<CursorPageOf<Access>> {
  const page = await listAccess(deps, await findObject(deps, named), { limit, cursor });
  return { ...page, items: page.items as Access[] };
}

export async function grantAccess(
  deps: Deps,
  command: Named & Grantee & { level: Access['level']; by: string },
): Promise<Access> {
  const { granteeType, granteeId, level, by } = command;
  const object = await findObject(deps, command);
  const act = { by, at: deps.now() };
  return (await deps.grants.put(object, { granteeType, granteeId, level }, act)) as Access;
}

export async function revokeAccess(deps: Deps, command: Named & Grantee & { by: string }): Promise<void> {
  const { granteeType, granteeId, by } = command;
  const object = await findObject(deps, command);
  await deps.grants.remove(object, { granteeType, granteeId }, { by, at: deps.now() });
}

async function findObject(deps: Deps, named: Named): Promise<GrantedObject> {
  const { workspaceId, id, name } = await findMetric(deps, named);
  const key = deps.metrics.key(workspaceId, id);
  return { workspaceId, type: 'metric', id, name, key, notFound: 'METRIC_NOT_FOUND' };
}

import { type GrantedObject, type Grantee, listAccess } from '../../../shared/domains/grants/index.ts';
import type { CursorPageOf } from '../../../shared/platform/storage/page.ts';
import type { Access } from '../schemas.ts';
import type { ModelDeps } from './context.ts';
import { findModel } from './models.ts';

interface Named {
  workspaceId: string;
  id: string;
}

/** Throws the codes of `Cursors.open`. */
export async function listModelAccess(
  deps: ModelDeps,
  { limit, cursor, ...named }: Named & { limit: number; cursor?: string },
): Promise<CursorPageOf<Access>> {
  const page = await listAccess(deps, await findObject(deps, named), { limit, cursor });
  return { ...page, items: page.items as Access[] };
}

export async function grantAccess(
  deps: ModelDeps,
  command: Named & Grantee & { level: Access['level']; by: string },
): Promise<Access> {
  const { granteeType, granteeId, level, by } = command;
  const object = await findObject(deps, command);
  return (await deps.grants.put(object, { granteeType, granteeId, level }, { by, at: deps.now() })) as Access;
}

export async function revokeAccess(deps: ModelDeps, command: Named & Grantee & { by: string }): Promise<void> {
  const { granteeType, granteeId, by } = command;
  const object = await findObject(deps, command);
  await deps.grants.remove(object, { granteeType, granteeId }, { by, at: deps.now() });
}

async function findObject(deps: ModelDeps, named: Named): Promise<GrantedObject> {
  const { workspaceId, id, name } = await findModel(deps, named);
  return { workspaceId, type: 'model', id, name, key: deps.models.key(workspaceId, id), notFound: 'MODEL_NOT_FOUND' };
}

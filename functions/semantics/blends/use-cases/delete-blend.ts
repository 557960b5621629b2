import type { EndedObject } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { BlendGroupDeps, Named } from './context.ts';
import { findBlend } from './find-blend.ts';

/** Access that was granted to it ends with it. Throws `BLEND_NOT_FOUND`, or `REFERENCED` with what uses it. */
export async function deleteBlend(deps: BlendGroupDeps, named: Named): Promise<{ id: string }> {
  const { workspaceId, id } = named;
  const ended: EndedObject = { kind: 'object', workspaceId, objectType: 'blend', objectId: id };
  await deps.deleteUnused(
    named,
    () => findBlend(deps, named),
    (blend, free) => deps.blends.remove(blend, [deps.cleanUpItem(ended)], free),
  );
  await deps.cleanUpNow(ended);
  return { id };
}

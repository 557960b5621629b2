import type { EndedObject } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { BlendGroupDeps, Named } from './context.ts';
import { findBlend } from './find-blend.ts';

/**
 * Access that was granted to it ends with it. Throws `BLEND_NOT_FOUND`, or `REFERENCED` with what uses it, as far as
 * the caller may see that.
 */
export async function deleteBlend(
  deps: BlendGroupDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<{ id: string }> {
  const { workspaceId } = principal;
  const named: Named = { workspaceId, id };
  const ended: EndedObject = { kind: 'object', workspaceId, objectType: 'blend', objectId: id };
  await deps.deleteUnused(
    { principal, id },
    () => findBlend(deps, named),
    (blend, free) => deps.blends.remove(blend, [deps.cleanUpItem(ended)], free),
  );
  await deps.cleanUpNow(ended);
  return { id };
}

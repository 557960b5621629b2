import { objectAccess } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Access } from '../schemas.ts';
import type { BlendGroupDeps } from '../use-cases/context.ts';
import { findBlend } from '../use-cases/find-blend.ts';

/** Access to blends. */
export const blendAccess = (deps: BlendGroupDeps) =>
  objectAccess<Access>(deps, async (named) => {
    const { workspaceId, id, name } = await findBlend(deps, named);
    return {
      workspaceId,
      type: 'blend',
      id,
      name,
      key: deps.blends.key(workspaceId, id),
      notFound: 'BLEND_NOT_FOUND',
    };
  });

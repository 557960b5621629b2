import { objectAccess } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Access } from '../schemas.ts';
import type { ModelDeps } from '../use-cases/context.ts';
import { findModel } from '../use-cases/models.ts';

/** Access to models. */
export const modelAccess = (deps: ModelDeps) =>
  objectAccess<Access>(deps, async (named) => {
    const { workspaceId, id, name } = await findModel(deps, named);
    return { workspaceId, type: 'model', id, name, key: deps.models.key(workspaceId, id), notFound: 'MODEL_NOT_FOUND' };
  });

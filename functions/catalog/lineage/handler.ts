import { findImpact, impactDeps, objectLineage } from '../../../shared/domains/catalog/lineage/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import * as routes from './routes.ts';

const group = openGroup('lineage');
const deps = impactDeps({
  ...group,
  objects: objectStore(environment('DATA_BUCKET')),
  engine: engineFunction(environment('ENGINE_FUNCTION')),
});

export const handler = endpointGroup(
  [
    bind(routes.getLineage, async ({ principal, params: start, query }) =>
      present(await objectLineage(deps, principal, { start, ...query })),
    ),
    bind(routes.getImpact, async ({ principal, params: start, query }) =>
      present(await findImpact(deps, principal, { start, ...query })),
    ),
  ],
  group,
);

function present<T>(found: T | undefined): T {
  if (!found) throw new AppError('LINEAGE_OBJECT_NOT_FOUND');
  return found;
}

import { datasetRepository } from '../../shared/domains/datasets/index.ts';
import { engineFunction } from '../../shared/domains/engine/index.ts';
import { sourceTables } from '../../shared/domains/models/index.ts';
import { shownTest, testRepository } from '../../shared/domains/quality/index.ts';
import { rightsDeps } from '../../shared/domains/row-rights/index.ts';
import { dataSourceRepository } from '../../shared/domains/sources/index.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/platform/http/open-group.ts';
import { objectStore } from '../../shared/platform/objects/object-store.ts';
import * as tests from './test-routes.ts';
import type { TestDeps } from './use-cases/context.ts';
import { deleteTest } from './use-cases/delete-test.ts';
import { findTest, listTestPage } from './use-cases/find-test.ts';
import { createTest, updateTest } from './use-cases/save-test.ts';

const group = openGroup('data-quality');
const { table, now } = group;
const rights = rightsDeps(table, now);
const deps: TestDeps = {
  tests: testRepository(table),
  datasets: datasetRepository(table),
  sources: dataSourceRepository(table),
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  definitions: rights.definitions,
  engine: engineFunction(environment('ENGINE_FUNCTION')),
  rights,
  now,
};

export const handler = endpointGroup(
  [
    bind(tests.listQualityTests, ({ principal: { workspaceId }, query }) => listTestPage(deps, workspaceId, query)),
    bind(tests.createQualityTest, ({ principal, body, newId }) =>
      createTest(deps, { id: newId, principal, test: body }),
    ),
    bind(tests.getQualityTest, async ({ principal: { workspaceId }, params: { id } }) =>
      shownTest(await findTest(deps, { workspaceId, id })),
    ),
    bind(tests.updateQualityTest, ({ principal, params: { id }, body }) =>
      updateTest(deps, { id, principal, change: body }),
    ),
    bind(tests.deleteQualityTest, ({ principal: { workspaceId }, params: { id } }) =>
      deleteTest(deps, { workspaceId, id }),
    ),
  ],
  group,
);

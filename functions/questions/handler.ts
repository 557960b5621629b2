import { grantCheck } from '../../shared/domains/grants/index.ts';
import { openQueries } from '../../shared/domains/queries/index.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../shared/platform/http/open-group.ts';
import * as routes from './routes.ts';
import { askModel, compileQuestion } from './use-cases/ask-model.ts';
import { previewModelTable } from './use-cases/preview-model-table.ts';

const group = openGroup('questions');
const queries = openQueries(group);
const deps = { ...queries, definitions: queries.rights.definitions };

export const handler = endpointGroup(
  [
    bind(routes.askModel, ({ principal, params: { modelId }, body, newId }) =>
      askModel(deps, { ...body, principal, modelId, queryId: newId }),
    ),
    bind(routes.compileQuestion, ({ principal, params: { modelId }, body }) =>
      compileQuestion(deps, { ...body, principal, modelId }),
    ),
    bind(routes.previewModelTable, ({ principal, params, body }) =>
      previewModelTable(deps, { ...body, ...params, principal }),
    ),
  ],
  { ...group, isGranted: grantCheck(group.table) },
);

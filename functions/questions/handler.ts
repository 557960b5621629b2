import { grantCheck } from '../../shared/domains/grants/index.ts';
import { openQueries } from '../../shared/domains/queries/index.ts';
import { rightsDeps } from '../../shared/domains/row-rights/index.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../shared/platform/http/open-group.ts';
import * as routes from './routes.ts';
import { askModel, compileQuestion } from './use-cases/ask-model.ts';

const group = openGroup('questions');
const rights = rightsDeps(group.table, group.now);
const deps = { ...openQueries(group), definitions: rights.definitions, rights };

export const handler = endpointGroup(
  [
    bind(routes.askModel, ({ principal, params: { modelId }, body, newId }) =>
      askModel(deps, { ...body, principal, modelId, queryId: newId }),
    ),
    bind(routes.compileQuestion, ({ principal, params: { modelId }, body }) =>
      compileQuestion(deps, { ...body, principal, modelId }),
    ),
  ],
  { ...group, isGranted: grantCheck(group.table) },
);

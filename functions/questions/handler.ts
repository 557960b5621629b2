import { grantCheck } from '../../shared/domains/grants/index.ts';
import { definitionReader } from '../../shared/domains/models/index.ts';
import { openQueries } from '../../shared/domains/queries/index.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../shared/platform/http/open-group.ts';
import * as routes from './routes.ts';
import { askModel, compileQuestion } from './use-cases/ask-model.ts';

const group = openGroup('questions');
const deps = { ...openQueries(group), definitions: definitionReader(group.table) };

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

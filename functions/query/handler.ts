import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { openGroup } from '../../shared/http/open-group.ts';
import { openQueries } from '../../shared/query/open-queries.ts';
import * as routes from './routes.ts';
import { runQuery } from './use-cases/run-query.ts';

const group = openGroup('query');
const deps = openQueries(group);

export const handler = endpointGroup(
  [bind(routes.runQuery, ({ principal, body, newId }) => runQuery(deps, { ...body, principal, queryId: newId }))],
  group,
);

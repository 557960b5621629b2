import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/http/open-group.ts';
import { validateStatement } from '../../shared/query/describe-statement.ts';
import { downloadLinks } from '../../shared/query/download-links.ts';
import { openQueries } from '../../shared/query/open-queries.ts';
import * as routes from './routes.ts';
import { runQuery } from './use-cases/run-query.ts';

const group = openGroup('query');
const deps = { ...openQueries(group), links: downloadLinks(environment('DATA_BUCKET'), group.now) };

export const handler = endpointGroup(
  [
    bind(routes.runQuery, ({ principal, body, newId, contentType }) =>
      runQuery(deps, { ...body, principal, queryId: newId, contentType }),
    ),
    bind(routes.validateQuery, ({ principal: { workspaceId }, body }) =>
      validateStatement(deps, { ...body, workspaceId }),
    ),
  ],
  group,
);

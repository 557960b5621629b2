import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import * as routes from './routes.ts';
import { search, suggest } from './use-cases/search.ts';
import { countSearch } from './use-cases/search-limit.ts';
import { workspaceCatalogue } from './use-cases/workspace-catalogue.ts';

const group = openGroup('search');
const { table, cursors, now } = group;
const findableFor = workspaceCatalogue(group);

export const handler = endpointGroup(
  [
    bind(routes.search, async ({ principal, query }) => {
      const [findable] = await Promise.all([findableFor(principal), countSearch(table, principal, 'search')]);
      return search({ cursors, now }, principal, findable, query);
    }),
    bind(routes.suggestSearch, async ({ principal, query: { q } }) => {
      const [findable] = await Promise.all([findableFor(principal), countSearch(table, principal, 'suggest')]);
      return suggest(findable, q);
    }),
  ],
  group,
);

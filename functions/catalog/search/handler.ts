import { vectorStore } from '../../../shared/domains/catalog/meaning/index.ts';
import { aiFunction } from '../../../shared/platform/ai/function/client.ts';
import { aiSettings, embeddingModelName } from '../../../shared/platform/ai/settings.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { queryVectors } from './meaning/query-vectors.ts';
import { workspaceMeaning } from './meaning/workspace-meaning.ts';
import * as routes from './routes.ts';
import { search, suggest } from './use-cases/search.ts';
import { countSearch } from './use-cases/search-limit.ts';
import { workspaceCatalogue } from './use-cases/workspace-catalogue.ts';

const group = openGroup('search');
const { table, cursors, now, log } = group;
const ai = aiSettings();
const meaningOf = workspaceMeaning({
  table,
  now,
  vectors: vectorStore(table, objectStore(environment('DATA_BUCKET'))),
  jobs: { jobs: jobRepository(table), queue: jobQueue(environment('JOB_QUEUE_URL')), now },
  embeddingModel: ai && embeddingModelName(ai),
  report: (error, workspaceId) => log.warn('the search by meaning failed', { error, workspaceId }),
});
const vectorOf = queryVectors(aiFunction(environment('AI_FUNCTION')));
const findableFor = workspaceCatalogue({ ...group, meaningOf });

export const handler = endpointGroup(
  [
    bind(routes.search, async ({ principal, query }) => {
      const [findable] = await Promise.all([findableFor(principal), countSearch(table, principal, 'search')]);
      return search({ cursors, now, vectorOf }, principal, findable, query);
    }),
    bind(routes.suggestSearch, async ({ principal, query: { q } }) => {
      const [findable] = await Promise.all([findableFor(principal), countSearch(table, principal, 'suggest')]);
      return suggest(findable, q);
    }),
  ],
  group,
);

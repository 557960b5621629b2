import { bind } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { type GroupFunctions, operationsFor } from '../common/operations.ts';
import { answerMcp } from './answer.ts';
import * as routes from './routes.ts';

// The operations that tools call record the use of keys and objects.
const group = openGroup('mcp', { recordsUse: false });
const functions: GroupFunctions = {
  search: environment('SEARCH_FUNCTION'),
  catalog: environment('CATALOG_FUNCTION'),
  models: environment('MODELS_FUNCTION'),
  questions: environment('QUESTIONS_FUNCTION'),
  metrics: environment('METRICS_FUNCTION'),
  'saved-queries': environment('SAVED_QUERIES_FUNCTION'),
  dashboards: environment('DASHBOARDS_FUNCTION'),
  cards: environment('CARDS_FUNCTION'),
  exports: environment('EXPORTS_FUNCTION'),
};

export const handler = endpointGroup(
  [
    bind(routes.callMcp, async ({ body, headers, sourceIp, requestId, log }) => {
      const { authorization = '', 'user-agent': userAgent = '' } = headers;
      const operations = operationsFor(functions, { authorization, userAgent, sourceIp, requestId });
      const onError = (error: unknown) => log.error('a tool failed', error as Error);
      const answer = await answerMcp({ operations, onError, requestId }, { body, headers });
      return answer === undefined ? Content.accepted() : new Content(answer);
    }),
  ],
  group,
);

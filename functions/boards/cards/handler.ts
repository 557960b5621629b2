import { cardDrawings, type DrawDeps } from '../../../shared/domains/boards/cards/index.ts';
import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import { startEngine } from '../../../shared/domains/engine/index.ts';
import { grantCheck } from '../../../shared/domains/tenancy/grants/index.ts';
import { aiFunction } from '../../../shared/platform/ai/function/client.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { readsAhead } from '../../../shared/platform/storage/reads-ahead.ts';
import type { NoticeDeps } from '../common/card-results.ts';
import { openCards } from '../common/open-cards.ts';
import * as routes from './routes.ts';
import * as unsavedCharts from './unsaved-charts/routes.ts';
import type { SourceDeps } from './unsaved-charts/use-cases/chart-source.ts';
import { previewChart } from './unsaved-charts/use-cases/preview-chart.ts';
import { suggestCharts } from './unsaved-charts/use-cases/suggest-charts.ts';
import { createCardFromQuery } from './use-cases/create-from-query.ts';
import { drawCard } from './use-cases/draw-card.ts';
import { readFilterValues } from './use-cases/filter-values.ts';
import { readCard } from './use-cases/read-card.ts';
import { readCards } from './use-cases/read-cards.ts';
import { clearSummary, type SummaryDeps, summarizeCard } from './use-cases/summarize-card.ts';

const group = openGroup('cards');
const { table, now } = group;
const ahead = readsAhead(table);
startEngine(environment('ENGINE_FUNCTION'));
const deps: SummaryDeps & DrawDeps & NoticeDeps & SourceDeps = {
  ...openCards({ ...group, table: ahead.table }),
  drawings: cardDrawings(objectStore(environment('DATA_BUCKET'))),
  themes: themeRepository(table),
  now,
  ai: aiFunction(environment('AI_FUNCTION')),
  aiModel: process.env.AI_MODEL ?? '',
  checkProduct: group.checkProduct,
};

export const handler = endpointGroup(
  [
    bind(routes.readDashboardCard, ({ principal, params, body }) =>
      ahead.during([principal.workspaceId, principal.credentialId, params, body], () =>
        readCard(deps, { ...body, ...params, principal }),
      ),
    ),
    bind(routes.readDashboardCards, ({ principal, params: { id }, body, requestId, log }) =>
      ahead.during([principal.workspaceId, principal.credentialId, id, body], () =>
        readCards(deps, {
          ...body,
          id,
          principal,
          requestId,
          onError: (error) => log.error('a card cannot be read', error as Error),
        }),
      ),
    ),
    bind(routes.drawDashboardCard, ({ principal, params, body }) => drawCard(deps, { ...body, ...params, principal })),
    bind(routes.readFilterValues, ({ principal, params, body }) =>
      readFilterValues(deps, { ...body, ...params, principal }),
    ),
    bind(routes.summarizeCard, ({ principal, params }) => summarizeCard(deps, { principal, ...params })),
    bind(routes.clearCardSummary, ({ principal, params }) => clearSummary(deps, { principal, ...params })),
    bind(routes.createCardFromQuery, ({ principal, params: { id }, body: card, newId }) =>
      createCardFromQuery(deps, { principal, id, card, newId }),
    ),
    bind(unsavedCharts.previewChart, ({ principal, body }) => previewChart(deps, { ...body, principal })),
    bind(unsavedCharts.suggestCharts, ({ principal, body }) => suggestCharts(deps, { ...body, principal })),
  ],
  { ...group, isGranted: grantCheck(table) },
);

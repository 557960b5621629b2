import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CardLine, DashboardParams, StreamCards } from './schemas.ts';

export const streamDashboardCards = defineRoute({
  operationId: 'streamDashboardCards',
  method: 'POST',
  path: '/api/dashboards/{id}/data/stream',
  summary: 'Read cards as they are ready',
  description:
    'Reads the cards of a page, or only the cards that you name, with the same rows as `POST /api/dashboards/{id}/data`, and sends each as a line of JSON as soon as it is ready. A card that fails has a `problem` instead of rows. The last line has `complete`; without it, the reply was interrupted, so read the missing cards again.',
  permission: 'dashboards:read',
  object: 'dashboard',
  params: DashboardParams,
  body: StreamCards,
  optionalBody: true,
  success: { status: 200, lines: CardLine },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_PAGE_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND'],
});

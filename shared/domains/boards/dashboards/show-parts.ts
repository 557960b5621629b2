import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id } from '../../../platform/http/schemas.ts';
import { MAX_PARTS } from './limits.ts';
import type { DashboardParts, DashboardState } from './records.ts';
import { cardProperties, filterProperties, PartId, pageProperties, partStamps } from './schemas.ts';

export const partOrdinal = (max: number) =>
  Type.Integer({ minimum: 0, maximum: max - 1, description: 'The place in the order, from 0.' });

export const DashboardPage = Type.Object(
  { id: PartId, dashboardId: Id, ...pageProperties, pageIndex: partOrdinal(MAX_PARTS.pages), ...partStamps },
  { $id: 'DashboardPage', description: 'A page of a dashboard.' },
);
export type DashboardPage = Static<typeof DashboardPage>;

export const DashboardCard = Type.Object(
  { id: PartId, dashboardId: Id, ...cardProperties, ordinal: partOrdinal(MAX_PARTS.cards), ...partStamps },
  { $id: 'DashboardCard', description: 'A card of a dashboard.' },
);
export type DashboardCard = Static<typeof DashboardCard>;

export const DashboardFilter = Type.Object(
  { id: Id, dashboardId: Id, ...filterProperties, ordinal: partOrdinal(MAX_PARTS.filters), ...partStamps },
  { $id: 'DashboardFilter', description: 'A filter that readers of a dashboard can set.' },
);
export type DashboardFilter = Static<typeof DashboardFilter>;

export interface ShownParts {
  pages: DashboardPage[];
  cards: DashboardCard[];
  filters: DashboardFilter[];
}

export function showParts(dashboardId: string, { pages, cards, filters }: DashboardParts): ShownParts {
  return {
    pages: pages.map(({ request: _request, ...page }, pageIndex) => ({ ...page, dashboardId, pageIndex })),
    cards: cards.map(({ request: _request, aiSummary: _aiSummary, ...card }, ordinal) => ({
      ...card,
      dashboardId,
      ordinal,
    })),
    filters: filters.map(({ request: _request, ...filter }, ordinal) => ({ ...filter, dashboardId, ordinal })),
  };
}

/** One part of the dashboard as it is shown. */
export const showPart = <K extends keyof ShownParts>(
  state: DashboardState,
  kind: K,
  id: string,
): ShownParts[K][number] => showParts(state.record.id, state)[kind].find((part) => part.id === id)!;

import { createHash } from 'node:crypto';
import type { DashboardParts } from './records.ts';

/** What a dashboard shows, without titles, descriptions, places and looks. */
export function meaningOfDashboard({ cards, filters }: Pick<DashboardParts, 'cards' | 'filters'>): string {
  const shown = [
    cards.map(({ id, cardType, chartSpec, savedQueryId, textContent, imageUrl, value }) => [
      ...[id, cardType, chartSpec?.query, savedQueryId, textContent, imageUrl, value],
    ]),
    filters.map(({ id, fieldId, filterType, defaultValue, linkedCardIds }) => [
      ...[id, fieldId, filterType, defaultValue, linkedCardIds],
    ]),
  ];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

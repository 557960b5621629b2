import type { CardRecord } from '../dashboards/index.ts';
import { queryOf } from './card-query.ts';

/**
 * The time zone that a card is read in: the one that its reader asks for, otherwise that of the dashboard. Undefined
 * leaves it to the source: a metric has a time zone of its own, others have that of the workspace.
 */
export function cardTimezone(
  card: CardRecord,
  { timezone, dashboard }: { timezone: string | undefined; dashboard: string | null | undefined },
): string | undefined {
  if (timezone !== undefined) return timezone;
  return queryOf(card).source.kind === 'metric' ? undefined : (dashboard ?? undefined);
}

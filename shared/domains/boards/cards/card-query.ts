import { AppError } from '../../../platform/errors/app-error.ts';
import type { AskedQuery } from '../charts/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import { countedQuery } from './counted-query.ts';
import { latestQuery } from './latest-query.ts';

/** The query of the card; a saved query without a chart is a query of its own. Throws `CARD_WITHOUT_ROWS`. */
export function queryOf({ chartSpec, savedQueryId }: CardRecord): AskedQuery {
  if (chartSpec) return latestQuery({ ...chartSpec, query: countedQuery(chartSpec) });
  if (savedQueryId !== null) return { source: { kind: 'savedQuery', id: savedQueryId } };
  throw new AppError('CARD_WITHOUT_ROWS');
}

/** How a message names a card, or a block of a report. */
export const namedCard = ({ id, title }: Pick<CardRecord, 'id' | 'title'>, kind: 'card' | 'block' = 'card'): string =>
  `the ${kind} "${title || id}"`;

export const hasRows = ({ chartSpec, savedQueryId }: CardRecord): boolean =>
  chartSpec !== null || savedQueryId !== null;

import type { ChartSpec } from '../../../shared/domains/charts/index.ts';
import type { CardRecord } from '../../../shared/domains/dashboards/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

/** The query of the card; a saved query without a chart is a query of its own. Throws `CARD_WITHOUT_ROWS`. */
export function queryOf({ chartSpec, savedQueryId }: CardRecord): ChartSpec['query'] {
  if (chartSpec) return chartSpec.query;
  if (savedQueryId !== null) return { source: { kind: 'savedQuery', id: savedQueryId } };
  throw new AppError('CARD_WITHOUT_ROWS');
}

export const hasRows = ({ chartSpec, savedQueryId }: CardRecord): boolean =>
  chartSpec !== null || savedQueryId !== null;

import { mapRows, mapWarnings } from '../../../data/charts/maps/map-rows.ts';
import type { CardRecord } from '../dashboards/index.ts';
import type { CardRows } from './card-rows.ts';

/** The rows with what the map of the card leaves out, as warnings. Rows of other cards stay as they are. */
export function withMapWarnings({ chartSpec }: Pick<CardRecord, 'chartSpec'>, rows: CardRows): CardRows {
  if (chartSpec?.mark.type !== 'geoshape') return rows;
  const map = mapRows(chartSpec, { columns: rows.columns, rows: JSON.parse(rows.rowsJson) as unknown[][] });
  return map ? { ...rows, warnings: [...rows.warnings, ...mapWarnings(map)] } : rows;
}

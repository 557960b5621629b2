import { CHART_KINDS } from '../charts/kinds/chart-kinds.ts';
import { withLookFormats } from '../charts/look-formats.ts';
import { mapRows, mapWarnings } from '../charts/maps/map-rows.ts';
import { showValue } from '../charts/show-value.ts';
import { printable } from '../charts/svg.ts';
import type { CardContent, DocumentCard } from './documents.ts';

const MAX_ROWS = 10;
const MAX_LENGTH = 1500;

/** What a chart shows, for those who do not see it: its title, its columns and its first rows. */
export function chartAlternative(
  { title, description }: Pick<DocumentCard, 'title' | 'description'>,
  { look, data }: Pick<Extract<CardContent, { kind: 'chart' }>, 'look' | 'data'>,
): string {
  const { rows } = data;
  const columns = withLookFormats(data.columns, look);
  const kind = look.layer ? 'Combined chart' : CHART_KINDS[look.mark.type].name;
  const shown = rows
    .slice(0, MAX_ROWS)
    .map((row) => columns.map((column, at) => `${column.name}: ${showValue(column, row[at]) || 'empty'}`).join(', '));
  const more = rows.length > MAX_ROWS ? [`${rows.length - MAX_ROWS} more rows`] : [];
  const map = mapRows(look, { columns, rows });
  const leftOut = map ? mapWarnings(map) : [];
  const text = [title, description, `${kind} of ${rows.length} rows`, ...leftOut, ...shown, ...more]
    .filter(Boolean)
    .join('. ');
  return printable(text).slice(0, MAX_LENGTH).toWellFormed();
}

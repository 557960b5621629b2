import type { Mark } from '../charts/chart-look.ts';
import {
  columnTexts,
  TABLE_MEASURE,
  type TableWindow,
  tableFit,
  tableHeight,
  tableLayout,
  tableRows,
} from '../charts/draw-table.ts';
import { pivoted } from '../charts/pivot.ts';
import { showColumns, titleOf } from '../charts/shown-columns.ts';
import type { ThemeTokens } from '../charts/theme.ts';
import { withTotals } from '../charts/total-rows.ts';
import type { CardContent, DocumentCard } from './documents.ts';
import { type PaperCard, type PaperTable, PIXEL, tableSize } from './pdf-card.ts';
import { isTable } from './table-cells.ts';
import { tableParts } from './table-parts.ts';

/** Where the cards of a page lie. */
interface Grid {
  columns: number;
  /** In points. */
  sizeOf(card: DocumentCard): { width: number; height: number };
  /** How many rows of the grid a card of the height needs. */
  rowsOf(height: number): number;
  maxRows: number;
  /** Of a table. */
  maxTableRows: number;
  theme: ThemeTokens;
}

/** More would be a file of rows. */
const MAX_ROWS = 1_000;
/** Of all tables of a document, which an interactive export has time to draw. */
const MAX_CELLS = 16_000;

/** How many rows each table of a document has at most, apart from those that its card has room for. */
export function maxTableRows(contents: readonly CardContent[]): number {
  const tables = contents.filter((content) => content.kind === 'chart' && isTable(content));
  const columns = tables.reduce(
    (sum, content) => sum + (content.kind === 'chart' ? content.data.columns.length : 0),
    0,
  );
  return Math.min(MAX_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns)));
}

/**
 * The cards, and below them the rows and columns of tables for which a card has no room, in cards as wide as the page.
 */
export function withContinuedTables(cards: readonly DocumentCard[], grid: Grid): PaperCard[] {
  let below = Math.max(0, ...cards.map(({ position: { y, h } }) => y + h));
  const continued: PaperCard[] = [];
  const shown = cards.map((card): PaperCard => {
    const [first = card, ...further] = tableCards(card, grid);
    for (const part of further) {
      continued.push({ ...part, position: { ...part.position, y: below } });
      below += part.position.h;
    }
    return first;
  });
  return [...shown, ...continued];
}

/** A table in its card, followed by its further rows and columns. */
function tableCards(card: DocumentCard, grid: Grid): PaperCard[] {
  const { content } = card;
  if (content.kind !== 'chart' || !isTable(content) || content.data.rows.length === 0) return [];
  const { look } = content;
  const isPivot = look.mark.type === 'pivot';
  const data = isPivot ? pivoted(look.encoding ?? {}, content.data) : withTotals(content.data);
  const hasTotals = data.totalsAt !== undefined;
  const wanted = showColumns(isPivot ? undefined : look.mark.columns, data.columns);
  const { theme, sizeOf } = grid;
  const layout = tableLayout(wanted, data, { ...tableSize(sizeOf(card), card), theme });
  const inCard = layout.fit.places.length;
  const total = Math.min(data.rows.length, Math.max(grid.maxTableRows, layout.rows.length));
  const wide = { ...card, title: continuedTitle(card.title), position: { ...card.position, x: 0, w: grid.columns } };
  const width = tableSize(sizeOf(wide), wide).width;
  const measure = { ...TABLE_MEASURE, width, isMono: theme.fonts.body === 'mono' };
  const texts = columnTexts(wanted, data.rows.slice(0, total), hasTotals);
  const parts = [
    { columns: wanted.slice(0, inCard), from: layout.rows.length, tags: {} },
    ...tableParts(texts, measure, inCard).map(({ columns }) => ({
      columns: columns.map((at) => wanted[at]!),
      from: 0,
      tags: {},
    })),
  ];
  const continues = parts.some(({ from }) => from < total);
  const first: PaperTable = {
    ...{ mark: columnsOf(wanted), data, tags: parts[0]!.tags },
    window: { from: 0, count: layout.rows.length, fit: layout.fit, continues },
  };
  const further = parts.flatMap(({ columns, from, tags }) => {
    const fit = tableFit(columns, data.rows.slice(0, total), { width, theme, hasTotals });
    const table = { mark: columnsOf(columns), data: { ...data, columnsLeftOut: 0 }, tags };
    return windows(wide, { from, total, hasMore: data.rows.length > total, fit, grid }).map(
      ({ window, h }): PaperCard => ({ ...wide, position: { ...wide.position, h }, table: { ...table, window } }),
    );
  });
  return [{ ...card, table: first }, ...further];
}

const continuedTitle = (title: string): string => (title === '' ? 'Continued' : `${title} (continued)`);

/** The columns with their titles, by which the table finds them. */
const columnsOf = (shown: ReturnType<typeof showColumns>): NonNullable<Mark['columns']> =>
  shown.map(({ column, at: _, ...more }) => ({
    ...more,
    field: column.name,
    title: titleOf({ ...more, column, at: 0 }),
  }));

/** The rows in cards as high as they need, or as a page. */
function windows(
  card: DocumentCard,
  {
    from,
    total,
    hasMore,
    fit,
    grid,
  }: { from: number; total: number; hasMore: boolean; fit: TableWindow['fit']; grid: Grid },
): { window: TableWindow; h: number }[] {
  const highest = { ...card, position: { ...card.position, h: grid.maxRows } };
  const size = grid.sizeOf(highest);
  const { height } = tableSize(size, highest);
  const most = tableRows(height);
  const found: { window: TableWindow; h: number }[] = [];
  for (let next = from; next < total; ) {
    const continues = total - next > most;
    const count = continues ? most - 1 : total - next;
    const lines = count + (continues || hasMore ? 1 : 0);
    const needed = size.height - (height - tableHeight(lines)) * PIXEL;
    const h = continues ? grid.maxRows : Math.min(grid.maxRows, grid.rowsOf(needed));
    found.push({ window: { from: next, count, ...(fit && { fit }), continues }, h });
    next += count;
  }
  return found;
}

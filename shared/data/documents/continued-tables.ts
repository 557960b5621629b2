import type { ChartColumn } from '../charts/chart-columns.ts';
import { columnTexts, showColumns, TABLE_MEASURE, tableLayout, titleOf } from '../charts/draw-table.ts';
import { pivoted } from '../charts/pivot.ts';
import type { ThemeTokens } from '../charts/theme.ts';
import type { Size } from '../charts/vega-lite-spec.ts';
import type { DocumentCard } from './documents.ts';
import { isTable } from './table-cells.ts';
import { tableParts } from './table-parts.ts';

/** Where the cards of a page lie, and how large a table in one of them is. */
interface Grid {
  columns: number;
  sizeOf(card: DocumentCard): Size;
  theme: ThemeTokens;
}

/** The cards, and below them the columns of tables for which a card has no room, in cards as wide as the page. */
export function withContinuedTables(cards: readonly DocumentCard[], grid: Grid): DocumentCard[] {
  let below = Math.max(0, ...cards.map(({ position: { y, h } }) => y + h));
  const continued = cards.flatMap((card) =>
    furtherParts(card, grid).map((part) => {
      const placed = { ...part, position: { ...part.position, y: below } };
      below += part.position.h;
      return placed;
    }),
  );
  return [...cards, ...continued];
}

function furtherParts(card: DocumentCard, { columns: gridColumns, sizeOf, theme }: Grid): DocumentCard[] {
  const { title, description, position, content } = card;
  if (content.kind !== 'chart' || !isTable(content)) return [];
  const { look } = content;
  const data = look.mark.type === 'pivot' ? pivoted(look.encoding ?? {}, content.data) : content.data;
  const wanted = showColumns(look.mark.columns, data.columns);
  const { rows, fit } = tableLayout(wanted, data, { ...sizeOf(card), theme });
  if (fit.places.length >= wanted.length) return [];
  const wide = { x: 0, y: 0, w: gridColumns, h: position.h };
  const measure = { ...TABLE_MEASURE, ...sizeOf({ ...card, position: wide }), isMono: theme.fonts.body === 'mono' };
  const parts = tableParts(columnTexts(wanted, rows), measure, fit.places.length);
  return parts.map(({ columns }): DocumentCard => {
    const chosen = columns.map((at) => wanted[at]!);
    const shown = chosen.map(
      (each): ChartColumn => ({ ...each.column, name: titleOf(each), showAs: each.format ?? each.column.showAs }),
    );
    return {
      title: title === '' ? 'Further columns' : `${title} (continued)`,
      description,
      position: wide,
      content: {
        ...content,
        look: { mark: { type: 'table' } },
        data: { columns: shown, rows: data.rows.map((row) => chosen.map(({ at }) => row[at])) },
      },
    };
  });
}

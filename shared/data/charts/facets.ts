import type { ChartData } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';
import type { Drawn } from './drawn-column.ts';
import { cellOf, FACET_GAP, facetGrid } from './facet-grid.ts';
import type { ShownTexts } from './shown-texts.ts';

type Json = Record<string, unknown>;
interface Size {
  width: number;
  height: number;
}

/** The columns that a chart is repeated by. */
export type Facets = Partial<Record<'row' | 'column', { drawn: Drawn; definition: Json }>>;

export function facetsOf(encoding: Encoding, columns: readonly Drawn[], texts: ShownTexts): Facets | undefined {
  const facets: Facets = {};
  for (const name of ['row', 'column'] as const) {
    const facet = encoding[name];
    const drawn = columns.find(({ column }) => column.name === facet?.field);
    if (!facet || !drawn) continue;
    const { title, sort, format } = facet;
    facets[name] = {
      drawn,
      definition: {
        field: drawn.kind === 'other' ? drawn.name : texts.name(drawn, format),
        type: 'nominal',
        title: title === undefined ? drawn.column.name : title,
        ...(sort !== undefined && { sort }),
      },
    };
  }
  return facets.row || facets.column ? facets : undefined;
}

/** The charts of a grid, whose headings are cut to their width. */
export function facetedBy(facets: Facets, { size, columns }: Grid): Json {
  const header = { labelLimit: size.width, titleLimit: 3 * size.width, labelPadding: 4 };
  if (columns !== undefined)
    return { facet: { ...facets.column!.definition, header: { ...header, title: null } }, columns, spacing: FACET_GAP };
  const headings = { row: { ...header, labelLimit: size.height, titleLimit: 3 * size.height }, column: header };
  const definitions = Object.entries(facets).map(([name, { definition }]) => [
    name,
    { ...definition, header: headings[name as 'row' | 'column'] },
  ]);
  return { facet: Object.fromEntries(definitions), spacing: FACET_GAP };
}

export interface Grid {
  size: Size;
  /** For charts that are repeated for one column alone, which may be in several rows. */
  columns?: number;
}

export function gridOf(facets: Facets, data: ChartData, size: Size): Grid {
  const count = (facet: { drawn: Drawn } | undefined) => {
    if (!facet) return 1;
    const at = data.columns.indexOf(facet.drawn.column);
    return Math.max(1, new Set(data.rows.map((row) => row[at])).size);
  };
  if (facets.column && !facets.row) {
    const { columns, ...cell } = facetGrid(count(facets.column), size);
    return { size: cell, columns };
  }
  return { size: cellOf({ columns: count(facets.column), rows: count(facets.row) }, size) };
}

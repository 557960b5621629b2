import type { ChartLook } from './chart-look.ts';

/** Whether a chart shows the latest of its rows as a number. */
export const showsLatest = ({ mark, layer }: Pick<ChartLook, 'mark' | 'layer'>): boolean =>
  !layer && (mark.type === 'kpi' || mark.type === 'gauge');

/** Which rows a chart has that lacks others. */
export const rowsThere = (look: Pick<ChartLook, 'mark' | 'layer'>, count: number): string =>
  `the ${showsLatest(look) ? 'latest' : 'first'} ${count} rows`;

/** So many rows at most of a chart: of a number, the latest. */
export const someRows = <Row>(
  look: Pick<ChartLook, 'mark' | 'layer'> | null,
  rows: readonly Row[],
  count: number,
): Row[] => (look && showsLatest(look) ? rows.slice(-count) : rows.slice(0, count));

import type { Members } from '../values.ts';
import { listOf, textOf } from '../values.ts';

/** The columns of a question, as far as they are known. */
export interface Columns {
  dimensions: string[];
  metrics: string[];
}

/** How a question is drawn: the type of the card and the parts of its chart. */
export interface Look {
  cardType: 'chart' | 'table' | 'kpi';
  mark: Members;
  encoding?: Members;
}

/** The look of the platform for that of Metabase; a table where it has none, with the reason. */
export function lookOf(display: string, settings: Members, known: Columns): { look: Look; reason?: string } {
  if (display === 'table') return { look: TABLE };
  const shown = columnsOf(display, settings, known);
  if (display === 'scalar' || display === 'smartscalar') {
    const field = textOf(settings['scalar.field']) ?? shown.metrics[0];
    if (field === undefined && shown.metrics.length !== 0) return asTable('It does not say which number.');
    return {
      look: { cardType: 'kpi', mark: { type: 'kpi' }, ...(field !== undefined && { encoding: { text: { field } } }) },
    };
  }
  const draw = CHARTS[display];
  if (!draw) return asTable(`Cards of the kind "${display}" became tables.`);
  const [x, color] = shown.dimensions;
  const [y] = shown.metrics;
  if (x === undefined || y === undefined)
    return asTable('It does not say which columns are drawn, so it became a table.');
  if (shown.metrics.length > 1 || shown.dimensions.length > 2)
    return asTable('Charts of several numbers, or by more than two columns, became tables.');
  return { look: draw(x, y, color) };
}

const TABLE: Look = { cardType: 'table', mark: { type: 'table' } };

const asTable = (reason: string) => ({ look: TABLE, reason });

function columnsOf(display: string, settings: Members, known: Columns): Columns {
  const named = (name: string) => listOf(settings[name]).map(String);
  const pie = [settings['pie.dimension']].flat().flatMap((each) => textOf(each) ?? []);
  const pieMetric = textOf(settings['pie.metric']);
  const dimensions = display === 'pie' ? pie : named('graph.dimensions');
  const metrics = display === 'pie' ? (pieMetric === undefined ? [] : [pieMetric]) : named('graph.metrics');
  return {
    dimensions: dimensions.length > 0 ? dimensions : known.dimensions,
    metrics: metrics.length > 0 ? metrics : known.metrics,
  };
}

const channels = (x: string, y: string, color: string | undefined): Members => ({
  x: { field: x },
  y: { field: y },
  ...(color !== undefined && { color: { field: color } }),
});

const marked =
  (type: string) =>
  (x: string, y: string, color?: string): Look => ({
    cardType: 'chart',
    mark: { type },
    encoding: channels(x, y, color),
  });

const CHARTS: Readonly<Record<string, (x: string, y: string, color?: string) => Look>> = {
  bar: marked('bar'),
  line: marked('line'),
  area: marked('area'),
  scatter: marked('point'),
  row: (x, y, color) => ({ cardType: 'chart', mark: { type: 'bar' }, encoding: channels(y, x, color) }),
  pie: (x, y) => ({ cardType: 'chart', mark: { type: 'arc' }, encoding: { theta: { field: y }, color: { field: x } } }),
};

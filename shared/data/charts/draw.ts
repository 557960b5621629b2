import { type Loader, None, parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile } from 'vega-lite';
import { boxRows } from './box-rows.ts';
import { type ChartData, drawnValue, kindOf, numberValue } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import { drawKpi } from './draw-kpi.ts';
import { drawTable } from './draw-table.ts';
import { hideCovered } from './hide-covered.ts';
import { mapRows } from './maps/map-rows.ts';
import { mapSpec } from './maps/map-spec.ts';
import { withShortPaths } from './maps/short-paths.ts';
import { markRows, withRowAttributes } from './marked-rows.ts';
import { measureTexts } from './measure-text.ts';
import { withOwnIds } from './own-ids.ts';
import { withPeriodGaps } from './period-gaps.ts';
import { pivoted } from './pivot.ts';
import { roundedSvg } from './rounded-svg.ts';
import { element, escapeXml, printable, svgDocument, wrapped } from './svg.ts';
import { DEFAULT_TOKENS, FONT_FAMILIES, surfaceOf, type ThemeTokens, vegaConfig } from './theme.ts';
import { type Size, vegaLiteSpec } from './vega-lite-spec.ts';

export interface DrawOptions extends Size {
  theme?: ThemeTokens;
  /** What the chart shows, for those who do not see it. */
  description?: string;
}

/** Vega reads files and addresses with its own loader; a chart has all that it needs. */
const refuse = () => Promise.reject(new Error('Charts load nothing.'));
measureTexts();

const LOADER: Loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** The chart as SVG. Columns that its channels name must exist (`lookIssues`). */
export async function drawChart(look: ChartLook, data: ChartData, options: DrawOptions): Promise<string> {
  const theme = options.theme ?? DEFAULT_TOKENS;
  switch (look.layer ? undefined : look.mark.type) {
    case 'kpi':
      return drawKpi(look, data, { ...options, theme });
    case 'table':
      return drawTable(look.mark.columns, data, { ...options, theme });
    case 'pivot':
      return drawTable(undefined, pivoted(look.encoding ?? {}, data), { ...options, theme });
    default:
      return drawVega(look, data, { ...options, theme });
  }
}

async function drawVega(
  look: ChartLook,
  data: ChartData,
  options: DrawOptions & { theme: ThemeTokens },
): Promise<string> {
  const nothing = nothingOf(look, data);
  if (nothing) return drawMessage(nothing, options);
  const map = mapRows(look, data);
  const spec = map
    ? mapSpec(look, data, { ...options, map })
    : vegaLiteSpec(look, withPeriodGaps(look, boxRows(look, data)), options);
  // A tree that is interpreted instead of code that is compiled: nothing is evaluated as JavaScript.
  const { spec: vega } = compile(spec, { config: vegaConfig(options.theme), logger: SILENT });
  markRows(vega as unknown as Record<string, unknown>);
  const view = new View(parse({ ...vega, description: options.description ?? '' }, {}, { ast: true }), {
    renderer: 'none',
    loader: LOADER,
    expr: expressionInterpreter,
    logLevel: None,
  });
  try {
    const name = element('svg', { role: 'graphics-document', 'aria-label': options.description }).slice(
      '<svg'.length,
      -'></svg>'.length,
    );
    await view.runAsync();
    hideCovered(view.scenegraph(), options, originOf(view));
    const svg = withOwnIds(withRowAttributes(printable(await view.toSVG())));
    return withSize(map ? withShortPaths(svg) : roundedSvg(svg), options).replace('<svg', () => `<svg${name}`);
  } finally {
    view.finalize();
  }
}

/** Where the plot begins in the picture. */
function originOf(view: View): [number, number] {
  const [x = 0, y = 0] = view.origin();
  const padding = view.padding() as unknown as number | { left: number; top: number };
  return typeof padding === 'number' ? [x + padding, y + padding] : [x + padding.left, y + padding.top];
}

const SIZE = / width="([\d.]+)" height="([\d.]+)" viewBox="[^"]*"/;

/** A grid of many charts may need more room than it has: it is drawn whole, and smaller. */
function withSize(svg: string, { width, height }: Size): string {
  const [, drawnWidth, drawnHeight] = (SIZE.exec(svg) ?? []).map(Number);
  const share = Math.min(1, width / drawnWidth!, height / drawnHeight!);
  if (share === 1) return svg;
  const [head, content] = [svg.slice(0, svg.indexOf('>') + 1), svg.slice(svg.indexOf('>') + 1, -'</svg>'.length)];
  const sized = head.replace(SIZE, ` width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`);
  return `${sized}<g transform="scale(${Math.floor(share * 1000) / 1000})">${content}</g></svg>`;
}

/** Scales of no values have no ends: Vega would draw axes of nothing. */
function nothingOf(look: ChartLook, { columns, rows }: ChartData): string | undefined {
  if (rows.length === 0) return 'No rows';
  const encodings = look.layer ? look.layer.map(({ encoding }) => encoding) : [look.encoding ?? {}];
  const fields = new Set(encodings.flatMap((encoding) => Object.values(encoding).flat()).map(({ field }) => field));
  const isEmpty = columns.some((column, at) => {
    const kind = kindOf(column);
    return fields.has(column.name) && kind !== 'other' && rows.every((row) => drawnValue(kind, row[at]) === null);
  });
  if (isEmpty) return 'No values';
  if (!look.layer && look.mark.type === 'arc') {
    const at = columns.findIndex(({ name }) => name === look.encoding?.theta?.field);
    const values = rows.flatMap((each) => numberValue(each[at]) ?? []);
    if (at >= 0 && kindOf(columns[at]!) === 'number') {
      if (values.some((value) => value < 0)) return 'Negative values are no shares of a whole: use bars';
      if (values.every((value) => value === 0)) return 'All values are 0';
    }
  }
  const [{ row, column } = {}] = encodings;
  const counts = [row, column].map((facet) => countOf(facet?.field, { columns, rows }));
  return counts[0]! * counts[1]! > MAX_FACETS ? `More than ${MAX_FACETS} charts beside each other` : undefined;
}

/** More could not be read, and would not fit into a reply. */
const MAX_FACETS = 100;

function countOf(field: string | undefined, { columns, rows }: ChartData): number {
  const at = columns.findIndex(({ name }) => name === field);
  return at < 0 ? 1 : new Set(rows.map((row) => row[at])).size;
}

/** A sentence instead of a chart, in as many lines as it needs. */
export function drawMessage(text: string, { width, height, theme = DEFAULT_TOKENS, description }: DrawOptions): string {
  const lines = wrapped(text, width - 2 * MESSAGE_SIZE, MESSAGE_SIZE);
  const top = height / 2 - ((lines.length - 1) * MESSAGE_SIZE * 1.4) / 2;
  return svgDocument(
    { width, height, description: description ?? text },
    element(
      'g',
      { 'font-family': FONT_FAMILIES[theme.fonts.body], 'font-size': MESSAGE_SIZE, fill: surfaceOf(theme).muted },
      ...lines.map((line, index) =>
        element(
          'text',
          { x: width / 2, y: top + index * MESSAGE_SIZE * 1.4, 'text-anchor': 'middle' },
          escapeXml(line),
        ),
      ),
    ),
  );
}

const MESSAGE_SIZE = 13;

const SILENT = {
  level: () => SILENT,
  error: () => SILENT,
  warn: () => SILENT,
  info: () => SILENT,
  debug: () => SILENT,
} as unknown as NonNullable<NonNullable<Parameters<typeof compile>[1]>['logger']>;

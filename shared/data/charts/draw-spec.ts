import { type Loader, None, parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { hideCovered } from './hide-covered.ts';
import { spreadEnds } from './line-ends.ts';
import { withShortPaths } from './maps/short-paths.ts';
import { markRows, withRowAttributes } from './marked-rows.ts';
import { measureTexts } from './measure-text.ts';
import { withOwnIds } from './own-ids.ts';
import { roundedSvg } from './rounded-svg.ts';
import { element, printable } from './svg.ts';
import { type ThemeTokens, vegaConfig } from './theme.ts';
import type { Size } from './vega-lite-spec.ts';

/** Vega reads files and addresses with its own loader; a chart has all that it needs. */
const refuse = () => Promise.reject(new Error('Charts load nothing.'));
measureTexts();

const LOADER: Loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

interface SpecOptions extends Size {
  theme: ThemeTokens;
  description?: string;
  /** Whether the shapes of places are most of the picture. */
  isMap?: boolean;
  /** Whether the series of its legend can be hidden, which the picture then says. */
  hasSeries?: boolean;
}

/** A specification of Vega-Lite as SVG. */
export async function drawSpec(spec: TopLevelSpec, options: SpecOptions): Promise<string> {
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
    spreadEnds(view.scenegraph());
    hideCovered(view.scenegraph(), options, originOf(view));
    const svg = withOwnIds(withRowAttributes(printable(await view.toSVG())));
    const named = options.hasSeries ? svg.replace(LEGEND, ' data-series=""$&') : svg;
    return withSize(options.isMap ? withShortPaths(named) : roundedSvg(named), options).replace(
      '<svg',
      () => `<svg${name}`,
    );
  } finally {
    view.finalize();
  }
}

/** The legend of colors, if they are names. */
const LEGEND = / aria-roledescription="legend" aria-label="Symbol legend[^"]* color/;

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

const SILENT = {
  level: () => SILENT,
  error: () => SILENT,
  warn: () => SILENT,
  info: () => SILENT,
  debug: () => SILENT,
} as unknown as NonNullable<NonNullable<Parameters<typeof compile>[1]>['logger']>;

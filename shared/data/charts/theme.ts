import type { Static } from 'typebox';
import * as Type from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { Colour } from './chart-look.ts';
import { FONT_FAMILIES, FONTS, PALETTE } from './default-theme.ts';
import { mixed } from './mixed-colors.ts';

export { DEFAULT_TOKENS, FONT_FAMILIES, FONTS } from './default-theme.ts';
export { mixed } from './mixed-colors.ts';

/** How dashboards and charts look. Every member is a checked value, never text for a style sheet. */
export const ThemeTokens = StrictObject(
  {
    palette: Type.Array(Colour, {
      minItems: 1,
      maxItems: 24,
      description: 'The colors of series, in their order; the first is also that of single series.',
    }),
    fonts: StrictObject(
      { body: StringEnum(FONTS), heading: StringEnum(FONTS) },
      { $id: 'ThemeFonts', description: 'The families of fonts.' },
    ),
    radius: Type.Integer({ minimum: 0, maximum: 32, description: 'The radius of corners, in pixels.' }),
    dark: Type.Boolean({ description: 'Whether text is light on a dark background.' }),
  },
  { $id: 'ThemeTokens', description: 'Colors, fonts and shapes.' },
);
export type ThemeTokens = Static<typeof ThemeTokens>;

export interface Surface {
  background: string;
  text: string;
  muted: string;
  line: string;
  /** Of areas that show no value. */
  raised: string;
  good: string;
  bad: string;
}

/** The colors around the data, with a contrast of at least 4.5 between text and background. */
export const surfaceOf = ({ dark }: ThemeTokens): Surface =>
  dark
    ? {
        background: '#14181f',
        text: '#e8ebf0',
        muted: '#a3acb9',
        line: '#2e3541',
        raised: '#262c36',
        good: '#5bc98c',
        bad: '#ff8a78',
      }
    : {
        background: '#ffffff',
        text: '#1c2430',
        muted: '#5a6675',
        line: '#e2e6ec',
        raised: '#eceff3',
        good: '#19794a',
        bad: '#b93322',
      };

/** The theme as the configuration of Vega-Lite. */
export function vegaConfig(tokens: ThemeTokens): Record<string, unknown> {
  const { text, muted, line } = surfaceOf(tokens);
  const [font, headingFont] = [FONT_FAMILIES[tokens.fonts.body], FONT_FAMILIES[tokens.fonts.heading]];
  const main = tokens.palette[0];
  const radius = Math.min(tokens.radius, 4);
  return {
    font,
    // Axes of numbers whose measure declares a format are labelled by a function.
    customFormatTypes: true,
    view: { stroke: null },
    axis: {
      labelColor: muted,
      titleColor: text,
      labelFontSize: 11,
      titleFontSize: 12,
      titleFontWeight: 500,
      titlePadding: 8,
      domainColor: line,
      tickColor: line,
      gridColor: line,
      labelPadding: 4,
      // Names have a limit of their own.
      maxExtent: 1000,
    },
    axisQuantitative: { domain: false, ticks: false, tickCount: 5 },
    axisX: { grid: false },
    axisBand: { ticks: false, labelAngle: 0 },
    axisPoint: { ticks: false, labelAngle: 0 },
    legend: {
      labelColor: muted,
      titleColor: text,
      labelFontSize: 11,
      titleFontSize: 12,
      titleFontWeight: 500,
      symbolType: 'circle',
      symbolSize: 64,
      symbolBaseFillColor: muted,
      symbolBaseStrokeColor: muted,
      labelLimit: 140,
      titleLimit: 140,
    },
    header: { labelColor: muted, titleColor: text, labelFont: font, titleFont: headingFont },
    title: { color: text, font: headingFont },
    bar: { fill: main, cornerRadiusEnd: radius },
    line: { stroke: main, strokeWidth: 2 },
    area: { fill: main, line: { stroke: main } },
    point: { fill: main, size: 40 },
    rule: { stroke: muted },
    rect: { fill: main },
    arc: { stroke: surfaceOf(tokens).background, strokeWidth: 1 },
    boxplot: { box: { fill: main }, median: { stroke: surfaceOf(tokens).background }, rule: { stroke: muted } },
    text: { fill: text, fontSize: 11 },
    range: {
      category: seriesColors(tokens),
      heatmap: rampOf(tokens),
      ramp: rampOf(tokens),
      ordinal: rampOf(tokens),
    },
  };
}

/** More series than colors get those of the platform. */
export const seriesColors = ({ palette }: ThemeTokens): string[] => [...new Set([...palette, ...PALETTE])];

/** From a hint of the first color of the palette to the color itself, so that no third hue comes between. */
function rampOf(tokens: ThemeTokens): string[] {
  const { background, raised } = surfaceOf(tokens);
  const color = tokens.palette[0]!;
  return [mixed(tokens.dark ? raised : background, color, 0.12), color];
}

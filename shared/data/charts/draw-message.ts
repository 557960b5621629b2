import { element, escapeXml, svgDocument, wrapped } from './svg.ts';
import { DEFAULT_TOKENS, FONT_FAMILIES, surfaceOf, type ThemeTokens } from './theme.ts';
import type { Size } from './vega-lite-spec.ts';

interface MessageOptions extends Size {
  theme?: ThemeTokens;
  description?: string;
}

/** A sentence instead of a chart, in as many lines as it needs. */
export function drawMessage(
  text: string,
  { width, height, theme = DEFAULT_TOKENS, description }: MessageOptions,
): string {
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

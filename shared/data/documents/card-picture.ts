import { drawChart, drawMessage } from '../charts/draw.ts';
import { element, escapeXml, fitted, svgDocument } from '../charts/svg.ts';
import { FONT_FAMILIES, surfaceOf, type ThemeTokens } from '../charts/theme.ts';
import { chartAlternative } from './alternative-text.ts';
import type { CardContent, DocumentCard } from './documents.ts';

/** What a picture can show of a card: its chart, or why there is none. */
export type PicturedCard = Pick<DocumentCard, 'title' | 'description'> & {
  content: Extract<CardContent, { kind: 'chart' | 'problem' }>;
};

export interface Picture {
  svg: string;
  /** What the picture shows, for those who do not see it. */
  alternative: string;
}

const PADDING = 16;
const TITLE = 16;

/** The card as it looks on a dashboard: its title, and its chart below, on the background of the theme. */
export async function cardPicture(
  { title, description, content }: PicturedCard,
  { width, height, theme }: { width: number; height: number; theme: ThemeTokens },
): Promise<Picture> {
  const surface = surfaceOf(theme);
  const head = title === '' ? 0 : TITLE * 1.75;
  const inner = { width: width - 2 * PADDING, height: height - 2 * PADDING - head, theme };
  const alternative =
    content.kind === 'problem'
      ? [title, content.problem].filter(Boolean).join('. ')
      : chartAlternative({ title, description }, content);
  const drawn =
    content.kind === 'problem'
      ? drawMessage(content.problem, inner)
      : await drawChart(content.look, content.data, inner);
  const heading = element(
    'text',
    {
      ...{ x: PADDING, y: PADDING + TITLE, fill: surface.text, 'font-size': TITLE, 'font-weight': 600 },
      'font-family': FONT_FAMILIES[theme.fonts.heading],
    },
    escapeXml(fitted(title, inner.width, TITLE)),
  );
  const svg = svgDocument(
    { width, height, description: alternative },
    element('rect', { width, height, fill: surface.background }),
    ...(title === '' ? [] : [heading]),
    element('g', { transform: `translate(${PADDING},${PADDING + head})` }, drawn),
  );
  return { svg, alternative };
}

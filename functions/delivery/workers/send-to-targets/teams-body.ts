import { plainLine } from '../../../../shared/platform/text/chat-text.ts';
import { filtersOf, headingOf, notesOf, sourceOf, type TargetContent } from './target-content.ts';

/** Teams accepts messages of 28 KB. */
const MAX_BODY_BYTES = 20_000;

type Run = { type: 'TextRun'; text: string } & Partial<Record<'weight' | 'size', string> & { isSubtle: boolean }>;
interface Paragraph {
  type: 'RichTextBlock';
  inlines: Run[];
}

/**
 * An adaptive card for an incoming webhook of Microsoft Teams. Its texts are text runs, which unlike text blocks have
 * no Markdown, so that nothing people have written becomes a link or a mention.
 */
export function teamsBody(content: TargetContent): object {
  const { cards, url, kind } = content;
  const paragraphs = [
    paragraph(headingOf(content), { weight: 'Bolder', size: 'Large' }),
    paragraph(sourceOf(content).join(' · '), { isSubtle: true }),
    ...filtersOf(content).map((line) => paragraph(line, { isSubtle: true })),
    ...cards.flatMap(({ title, lines }) => [
      ...(title ? [paragraph(title, { weight: 'Bolder' })] : []),
      ...lines.map((line) => paragraph(line)),
    ]),
    ...notesOf(content).map((note) => paragraph(note, { isSubtle: true })),
  ];
  return teamsMessage(fitting(paragraphs), url === null ? null : { title: `Open the ${kind.name}`, url });
}

/** A message with an adaptive card. */
export function teamsMessage(body: readonly Paragraph[], action: { title: string; url: string } | null): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    ...(action && { actions: [{ type: 'Action.OpenUrl', ...action }] }),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card };
  return { type: 'message', attachments: [attachment] };
}

/** Cards replace `{{…}}` with dates, even in text runs. */
export const paragraph = (text: string, look: Omit<Run, 'type' | 'text'> = {}): Paragraph => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: plainLine(text).replaceAll('{{', '{\u200b{'), ...look }],
});

/** The first paragraphs, and how many were left out. */
function fitting(paragraphs: readonly Paragraph[]): Paragraph[] {
  let bytes = 0;
  const count = paragraphs.findIndex((each) => {
    bytes += Buffer.byteLength(JSON.stringify(each));
    return bytes > MAX_BODY_BYTES;
  });
  if (count < 0) return [...paragraphs];
  return [...paragraphs.slice(0, count), paragraph(`… and ${paragraphs.length - count} more lines`)];
}

import { type Markup, markup } from './chat-text.ts';

interface Text {
  type: 'mrkdwn';
  text: string;
  /** The chat tool must not turn plain text into links or mentions. */
  verbatim: true;
}

export interface ChatMessage {
  /** For notifications, and for tools without support for blocks. */
  text: string;
  blocks: (
    | { type: 'section'; text: Text }
    | { type: 'section'; fields: Text[] }
    | { type: 'context'; elements: Text[] }
  )[];
}

/** The content of a chat message. */
export interface ChatContent {
  /** One sentence that says what happened. */
  headline: Markup;
  /** One line each, below the headline. */
  lines?: readonly Markup[];
  /** At most ten; fields without a value are omitted. */
  fields?: readonly (readonly [label: string, value: unknown])[];
  /** Small print. */
  about: Markup;
}

/**
 * Limits of incoming webhooks of chat tools: 50 blocks, 3,000 characters per section, 10 fields, about 4,000 characters
 * of text.
 */
const MAX_SECTION_CHARACTERS = 3000;
const MAX_SECTIONS_OF_LINES = 45;
const MAX_TEXT_CHARACTERS = 3900;

/** A message for the incoming webhook of a chat tool: a headline, lines and a compact list of fields. */
export function chatMessage({ headline, lines = [], fields = [], about }: ChatContent): ChatMessage {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined);
  const sentences = [headline, ...lines, ...shown.map(([label, value]) => markup`${label}: ${value}`)];
  return {
    text: paragraphs(sentences, { characters: MAX_TEXT_CHARACTERS, paragraphs: 1 }).join('\n'),
    blocks: [
      { type: 'section', text: asText(headline.text) },
      ...paragraphs(lines, { characters: MAX_SECTION_CHARACTERS, paragraphs: MAX_SECTIONS_OF_LINES }).map((text) => ({
        type: 'section' as const,
        text: asText(text),
      })),
      ...(shown.length > 0
        ? [
            {
              type: 'section' as const,
              fields: shown.map(([label, value]) => asText(markup`*${label}*\n${value}`.text)),
            },
          ]
        : []),
      { type: 'context', elements: [asText(about.text)] },
    ],
  };
}

const asText = (text: string): Text => ({ type: 'mrkdwn', text, verbatim: true });

/** Joins lines into paragraphs up to the limit; the last paragraph states how many lines were left out. */
function paragraphs(lines: readonly Markup[], limit: { characters: number; paragraphs: number }): string[] {
  const joined: string[] = [];
  for (const [i, { text }] of lines.entries()) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= limit.characters)
      joined[joined.length - 1] = `${last}\n${text}`;
    else if (joined.length < limit.paragraphs) joined.push(text);
    else return [...joined, `… and ${lines.length - i} more`];
  }
  return joined;
}

import { CELL_SEPARATOR } from '../../../../shared/platform/mail/compose.ts';
import { type ChatMessage, chatMessage } from '../../../../shared/platform/text/chat-message.ts';
import { linkTo, Markup, markup } from '../../../../shared/platform/text/chat-text.ts';
import { filtersOf, headingOf, notesOf, sourceOf, type TargetContent } from './target-content.ts';

/** A message for an incoming webhook of Slack. Everything that people have written is escaped. */
export function slackBody(content: TargetContent): ChatMessage {
  const { cards, url, kind } = content;
  const open = url === null ? [] : [linkTo(url, `Open the ${kind.name}`)];
  return chatMessage({
    headline: markup`*${headingOf(content)}*`,
    lines: [
      ...filtersOf(content).map((line) => markup`${line}`),
      ...cards.flatMap(({ title, lines }) => [...(title ? [markup`*${title}*`] : []), ...lines.map(cellsOf)]),
      ...notesOf(content).map((note) => markup`${note}`),
    ],
    about: joined([...sourceOf(content).map((each) => markup`${each}`), ...open]),
  });
}

/** Each cell is escaped and shortened on its own, so that a long one does not hide the others. */
const cellsOf = (line: string): Markup => joined(line.split(CELL_SEPARATOR).map((cell) => markup`${cell}`));

const joined = (parts: readonly Markup[]): Markup => new Markup(parts.map(({ text }) => text).join(CELL_SEPARATOR));

import type { CardContent, DocumentCard } from '../../../data/documents/documents.ts';
import { type Block, liveBlockOf, plainText, type RichText } from '../../../data/rich-text/index.ts';
import { textCards } from '../../boards/reports/index.ts';
import type { Section } from '../stories/index.ts';

const WIDTH = 24;
const HEADING_ROWS = 2;
const LIVE_ROWS = 8;

export interface StoryCardsOptions {
  /** The live blocks that the reader may read, and the problem of the others, by the id of the block. */
  blocks: ReadonlyMap<string, { title: string; content: CardContent }>;
  /** The inline values of a section as they stand for the reader, by the id of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The sections that the reader sees, as cards below each other. Values without a known text are hidden. */
export function storyCards(
  sections: readonly Pick<Section, 'id' | 'title' | 'content'>[],
  { blocks, values }: StoryCardsOptions,
): DocumentCard[] {
  const cards: DocumentCard[] = [];
  let y = 0;
  const add = (rows: number, title: string, content: CardContent) => {
    cards.push({ title, description: '', position: { x: 0, y, w: WIDTH, h: rows }, content });
    y += rows;
  };
  for (const { id, title, content } of sections) {
    if (title) add(HEADING_ROWS, title, { kind: 'text', text: '' });
    const valueText = (valueId: string) => values.get(id)?.get(valueId) ?? '—';
    for (const blocksOfCard of runsOf(content)) {
      const [block] = blocksOfCard as [Block];
      const text = plainText({ type: 'doc', content: blocksOfCard }, { valueText });
      if (block.type === 'liveBlock') {
        const { id: blockId, height } = liveBlockOf(block);
        const shown = blocks.get(blockId);
        if (shown) add(height ?? LIVE_ROWS, shown.title, shown.content);
      } else if (block.type === 'divider') add(1, '', { kind: 'divider' });
      else if (block.type === 'heading') add(HEADING_ROWS, text, { kind: 'text', text: '' });
      else for (const card of textsOf(id, text)) add(card.rows, '', { kind: 'text', text: card.textContent ?? '' });
    }
  }
  return cards;
}

const textsOf = (id: string, text: string) => (text === '' ? [] : textCards(id, text));

const STAND_ALONE: readonly string[] = ['liveBlock', 'divider', 'heading'];

/** Blocks that share a card: texts in a row do, all others stand alone. */
function runsOf({ content }: RichText): Block[][] {
  const runs: Block[][] = [];
  for (const block of content) {
    const last = runs.at(-1);
    const isJoined = last && ![last[0]!, block].some(({ type }) => STAND_ALONE.includes(type));
    if (isJoined) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

import type { CardContent, DocumentCard } from '../../../data/documents/documents.ts';
import { type Block, liveBlockOf, plainText, type RichText } from '../../../data/rich-text/index.ts';
import { textCards } from '../../boards/reports/index.ts';
import type { Section } from '../stories/index.ts';

const WIDTH = 24;
const HEADING_ROWS = 2;
const LIVE_ROWS = 8;

/** A live block as its reader sees it. */
export interface ShownBlock {
  title: string;
  content: CardContent;
  /** Of the card of a dashboard. */
  height?: number | undefined;
}

export interface StoryCardsOptions {
  /** The live blocks that the reader may read, and the problem of the others, by the id of the block. */
  blocks: ReadonlyMap<string, ShownBlock>;
  /** The inline values of a section as they stand for the reader, by the id of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

type NamedSection = Pick<Section, 'id' | 'title' | 'content'>;
type Placed = Pick<DocumentCard, 'title' | 'content'> & { rows: number };

/** The sections that the reader sees, as cards below each other. Values without a known text are hidden. */
export function storyCards(sections: readonly NamedSection[], options: StoryCardsOptions): DocumentCard[] {
  let y = 0;
  return sections
    .flatMap((section) => sectionCards(section, options))
    .map(({ rows, ...card }) => {
      const position = { x: 0, y, w: WIDTH, h: rows };
      y += rows;
      return { ...card, description: '', position };
    });
}

function sectionCards(section: NamedSection, options: StoryCardsOptions): Placed[] {
  const cards = runsOf(section.content).flatMap((run) => runCards(section.id, run, options));
  return section.title ? [headingCard(section.title), ...cards] : cards;
}

function runCards(sectionId: string, run: readonly Block[], { blocks, values }: StoryCardsOptions): Placed[] {
  const [block] = run as readonly [Block];
  if (block.type === 'divider') return [{ rows: 1, title: '', content: { kind: 'divider' } }];
  if (block.type === 'liveBlock') {
    const { id, height } = liveBlockOf(block);
    const shown = blocks.get(id);
    if (!shown) return [];
    const { height: usual = LIVE_ROWS, ...card } = shown;
    return [{ rows: height ?? usual, ...card }];
  }
  const valueText = (valueId: string) => values.get(sectionId)?.get(valueId) ?? '—';
  const text = plainText({ type: 'doc', content: run }, { valueText });
  if (block.type === 'heading') return [headingCard(text)];
  return textsOf(sectionId, text).map(({ rows, textContent }) => ({
    rows,
    title: '',
    content: { kind: 'text', text: textContent ?? '' },
  }));
}

const headingCard = (title: string): Placed => ({ rows: HEADING_ROWS, title, content: { kind: 'text', text: '' } });

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

import { AppError } from '../../../platform/errors/app-error.ts';
import { escapeMarkdown } from '../../../platform/text/markdown/escape-markdown.ts';
import type { CardRows, Reading } from '../../boards/cards/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import type { CardRecord, DashboardParts } from '../../boards/dashboards/index.ts';
import { blockCard, missingBlock, valueSources } from '../live-blocks/index.ts';
import { openBlock } from '../snapshots/index.ts';
import type { NamedStory, Section, ViewedBlock } from '../stories/index.ts';
import { type ReadText, readText, type StoryContentDeps } from './read-text.ts';
import { piecesOf } from './story-pieces.ts';

/** A published story as a dashboard whose cards lie below each other, so that it is sent like one. */
export interface StoryParts extends DashboardParts {
  name: string;
  /** All that it says, with the values of the reader. */
  text: string;
  /** What the values in the text are read from, beside the live blocks. */
  sources: ChartSpec['query']['source'][];
  /** The rows of a live block, in a snapshot those of when the story was published. Throws what `openBlock` throws. */
  rowsOf(card: CardRecord, reading: Reading): Promise<CardRows>;
}

/** Texts have no id yet. */
type ShownCard = Pick<CardRecord, 'cardType'> & Partial<CardRecord>;

/** Emails cut longer texts. */
const MAX_TEXT = 1_000;
const TEXT = { cardType: 'text' } as const;

/** The story as the reader sees it. Throws `STORY_NOT_FOUND`. */
export async function storyParts(
  deps: StoryContentDeps,
  named: NamedStory & { onError(error: unknown): void },
): Promise<StoryParts> {
  const read = await readText(deps, { ...named, view: 'published' });
  const { viewed } = read;
  const byId = new Map(read.blocks.map((each) => [each.block.id, each]));
  const shown = new Map<string, ShownCard>();
  for (const each of read.blocks) shown.set(each.block.id, await blockOf(read, named, each));
  const cards = viewed.sections.flatMap((section) => cardsOf(section, read, shown));
  return {
    name: viewed.title,
    text: JSON.stringify([viewed.title, cards.map(({ title, textContent }) => [title, textContent])]),
    pages: [],
    cards: cards.map((card, y) => cardRecord(card, viewed.record, y)),
    filters: [],
    sources: valueSources(viewed.sections),
    rowsOf: async ({ id }, reading) => (await openBlock(read.deps, byId.get(id)!, reading)).rows,
  };
}

function cardsOf(section: Section, { values }: ReadText, shown: ReadonlyMap<string, ShownCard>): ShownCard[] {
  return piecesOf(section, values).flatMap((piece): ShownCard[] => {
    switch (piece.kind) {
      case 'heading':
        return [{ ...TEXT, title: piece.text }];
      case 'text':
        return shortTexts(piece.text).map((text) => ({ ...TEXT, textContent: escapeMarkdown(text) }));
      case 'block':
        return [shown.get(piece.block.id)!];
      default:
        return [];
    }
  });
}

/** The paragraphs of a text, joined as long as an email shows them whole. */
function shortTexts(text: string): string[] {
  const found: string[] = [];
  for (const paragraph of text.split('\n\n')) {
    const last = found.at(-1);
    const joined = last === undefined ? paragraph : `${last}\n\n${paragraph}`;
    if (last !== undefined && joined.length <= MAX_TEXT) found[found.length - 1] = joined;
    else if (paragraph !== '') found.push(paragraph);
  }
  return found;
}

/** The card of a live block, or a text that says why the reader gets none. */
async function blockOf({ deps }: ReadText, { principal }: NamedStory, viewed: ViewedBlock): Promise<ShownCard> {
  const { id, title = '' } = viewed.block;
  try {
    const { card } = await blockCard(deps, principal, viewed);
    return { ...card, id };
  } catch (error) {
    const problem = missingBlock(error);
    if (problem === undefined && !(error instanceof AppError)) throw error;
    return { id, ...TEXT, title, textContent: escapeMarkdown(problem ?? (error as AppError).message) };
  }
}

const cardRecord = (
  card: ShownCard,
  { createdBy, updatedBy, createdAt, updatedAt, revision }: ViewedBlock['record'],
  y: number,
): CardRecord => ({
  // Ids of blocks have no tilde.
  id: `~${y}`,
  ...{
    title: '',
    description: '',
    chartSpec: null,
    savedQueryId: null,
    textContent: null,
    imageUrl: null,
    value: null,
  },
  ...{ createdBy, updatedBy, createdAt, updatedAt, revision },
  ...card,
  position: { x: 0, y, w: 24, h: 1 },
  pageId: null,
});

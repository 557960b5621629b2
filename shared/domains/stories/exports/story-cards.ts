import type { CardContent, DocumentCard } from '../../../data/documents/documents.ts';
import { textCards } from '../../boards/reports/index.ts';
import { type PieceSection, piecesOf, type ShownValues, type StoryPiece } from './story-pieces.ts';

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
  values: ShownValues;
}

type Placed = Pick<DocumentCard, 'title' | 'content'> & { rows: number };

/** The sections that the reader sees, as cards below each other. */
export function storyCards(sections: readonly PieceSection[], { blocks, values }: StoryCardsOptions): DocumentCard[] {
  let y = 0;
  return sections
    .flatMap((section) => piecesOf(section, values))
    .flatMap((piece) => placedCards(piece, blocks))
    .map(({ rows, ...card }) => {
      const position = { x: 0, y, w: WIDTH, h: rows };
      y += rows;
      return { ...card, description: '', position };
    });
}

function placedCards(piece: StoryPiece, blocks: StoryCardsOptions['blocks']): Placed[] {
  switch (piece.kind) {
    case 'divider':
      return [{ rows: 1, title: '', content: { kind: 'divider' } }];
    case 'heading':
      return [{ rows: HEADING_ROWS, title: piece.text, content: { kind: 'text', text: '' } }];
    case 'text':
      if (piece.text === '') return [];
      return textCards('text', piece.text).map(({ rows, textContent }) => ({
        rows,
        title: '',
        content: { kind: 'text', text: textContent ?? '' },
      }));
    case 'block': {
      const { id, height } = piece.block;
      const shown = blocks.get(id);
      if (!shown) return [];
      const { height: usual = LIVE_ROWS, ...card } = shown;
      return [{ rows: height ?? usual, ...card }];
    }
  }
}

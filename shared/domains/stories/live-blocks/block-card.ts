import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { cardOf } from '../../boards/cards/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import type { CardRecord, DashboardParts } from '../../boards/dashboards/index.ts';
import type { Section, ViewedBlock } from '../stories/index.ts';

/** What the cards of a dashboard need of it. */
export type DashboardOfCard = DashboardParts & { theme: string | null; timezone: string | null };

export interface BlockCardDeps<Reader = Principal> {
  /** The dashboard as the reader sees it. Throws `DASHBOARD_NOT_FOUND`. */
  dashboardFor(reader: Reader, dashboardId: string): Promise<DashboardOfCard>;
}

/** Reads each dashboard once, for several blocks of one reader. */
export function dashboardsOnce<Reader>(
  dashboardFor: BlockCardDeps<Reader>['dashboardFor'],
): BlockCardDeps<Reader>['dashboardFor'] {
  const known = new Map<string, Promise<DashboardOfCard>>();
  return (reader, id) => {
    const read = known.get(id) ?? dashboardFor(reader, id);
    known.set(id, read);
    return read;
  };
}

/** A section, as far as its live blocks need it. */
export type BlockSection = Pick<Section, 'id' | 'content' | 'editedBy' | 'editedAt' | 'revision'>;

/** A live block as a card, which is read, drawn and exported like those of dashboards. */
export interface BlockCard {
  card: CardRecord;
  parts: DashboardOfCard;
}

/**
 * The card of a live block. Throws `STORY_BLOCK_WITHOUT_ROWS` for a slot of a template, and for cards
 * `DASHBOARD_NOT_FOUND` and `DASHBOARD_CARD_NOT_FOUND`.
 */
export async function blockCard<Reader = Principal>(
  deps: BlockCardDeps<Reader>,
  reader: Reader,
  { block: { id, source, title }, section }: Pick<ViewedBlock, 'block'> & { section: BlockSection },
): Promise<BlockCard> {
  if (source.kind === 'slot') throw new AppError('STORY_BLOCK_WITHOUT_ROWS');
  if (source.kind === 'card') {
    const parts = await deps.dashboardFor(reader, source.dashboardId);
    const card = cardOf(parts, source.cardId);
    return { card: title === undefined ? card : { ...card, title }, parts };
  }
  const { editedBy, editedAt, revision } = section;
  const card: CardRecord = {
    id,
    cardType: 'chart',
    title: title ?? '',
    description: '',
    position: { x: 0, y: 0, w: 24, h: 8 },
    chartSpec: source.chartSpec as ChartSpec,
    ...{ savedQueryId: null, textContent: null, imageUrl: null, value: null, pageId: null },
    ...{ createdBy: editedBy, updatedBy: editedBy, createdAt: editedAt, updatedAt: editedAt, revision },
  };
  // As if a dashboard had this card alone.
  return { card, parts: { pages: [], cards: [card], filters: [], theme: null, timezone: null } };
}

import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import { freePlace } from '../../data/board-layout.ts';
import { cardsOfPage, shownPage } from '../../data/boards.ts';
import type { Types } from '../../data/client.ts';
import type { IconName } from '../../ui/icon-names.ts';

export type Kind = 'chart' | 'text' | 'value' | 'image' | 'divider';

/** What a new card can be, in groups. A chart is made of a dataset, a model, a saved query, a metric or a blend. */
export const ADDABLE: readonly (readonly { kind: Kind; label: string; icon: IconName }[])[] = [
  [{ kind: 'chart', label: 'Chart, table or number', icon: 'chart-column' }],
  [
    { kind: 'text', label: 'Text', icon: 'list' },
    { kind: 'value', label: 'Fixed value', icon: 'gauge' },
    { kind: 'image', label: 'Link to an image', icon: 'external-link' },
    { kind: 'divider', label: 'Divider', icon: 'minus' },
  ],
];

type Body = Omit<Types.CreateDashboardCard, 'id' | 'position' | 'pageId'> & { size: [w: number, h: number] };

const NEW: Readonly<Record<Kind, Body>> = {
  chart: { cardType: 'chart', title: '', size: [12, 8] },
  text: { cardType: 'text', textContent: 'New text', size: [12, 3] },
  value: { cardType: 'kpi', title: 'New value', value: '–', size: [6, 4] },
  image: { cardType: 'image', title: 'Image', imageUrl: 'https://example.com/', size: [8, 4] },
  divider: { cardType: 'divider', size: [24, 1] },
};

/** Adds a card at the first free place of the page, and opens its settings. */
export const useAddCard = (draft: BoardDraft, wanted: string | undefined, select: (cardId: string) => void) =>
  useAction(async (kind: Kind) => {
    const { size, ...body } = NEW[kind];
    const { pages, cards } = draft.current;
    const page = shownPage(pages, wanted);
    const places = cardsOfPage(cards, pages, page?.id).map(({ position }) => position);
    const position = freePlace(places, ...size);
    const made = await draft.addCard({ ...body, position, ...(page && { pageId: page.id }) });
    select(made.id);
  });

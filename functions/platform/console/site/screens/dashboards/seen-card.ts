import type { filledCard } from '../../data/boards.ts';
import type { Types } from '../../data/client.ts';

/** What a board shows of a card: of a dashboard, or of what a link opens. */
export type SeenCard = Pick<
  Types.DashboardCard,
  'id' | 'cardType' | 'title' | 'description' | 'position' | 'textContent' | 'imageUrl' | 'value'
> &
  Pick<ReturnType<typeof filledCard>, 'chartSpec' | 'hasRows'> & { pageId: string | null };

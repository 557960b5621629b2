import type { Discussed } from './discussed.ts';

/** The dashboard and its cards. */
export const cardsDiscussed = ({
  dashboardId,
  mayShare,
}: {
  dashboardId: string;
  /** Whether the reader may change the dashboard. */
  mayShare: boolean;
}): Discussed => ({
  type: 'dashboard',
  id: dashboardId,
  part: 'card',
  mayModerate: mayShare,
  isFollowedInLead: false,
  elsewhere: 'On a card on another page',
  parts: () =>
    [...document.querySelectorAll<HTMLElement>('.card:not(.divider)')].map((element) => ({
      id: element.id.slice('card-'.length),
      title: element.getAttribute('aria-label') ?? undefined,
      element,
    })),
});

import { cardConfigs, explorationOf } from '../../../../../shared/data/charts/board-cards.ts';
import type { Access } from '../../../../boards/browser/access.ts';
import { ApiError as CardError } from '../../../../boards/browser/api-error.ts';
import type { Board } from '../../../../boards/browser/board.ts';
import { glossary } from '../../../../boards/browser/terms.ts';
import { ApiError, api, type Types } from './client.ts';
import { problemOf } from './problem.ts';
import { useQuery } from './query.ts';

export type Dashboard = Types.DashboardDetails;
export type Card = Types.DashboardCard;
export type BoardPage = Types.DashboardPage;
export type BoardFilter = Types.DashboardFilter;

export const boardKey = (id: string) => ['dashboards', id] as const;

/** A dashboard as the person sees it, with what they may do with it (`viewerMeta`): its editors see the draft. */
export const useDashboard = (id: string) =>
  useQuery(boardKey(id), () => api.dashboards.get(id, { include: 'viewerMeta' }));

/** The time zone of the workspace; null without one, undefined until it is read. */
export function useZone(): string | null | undefined {
  const { data, error } = useQuery(['workspace', 'current'], () => api.workspaces.get(), { everyMs: false });
  return data ? data.timezone : error ? null : undefined;
}

/** Cards without a page are on the first one. */
export const cardsOfPage = <C extends { pageId: string | null }>(
  cards: readonly C[],
  pages: readonly { id: string }[],
  pageId: string | undefined,
): C[] => cards.filter((card) => (card.pageId ?? pages[0]?.id) === pageId);

/** The page of the address, or the first one that readers see. */
export const shownPage = <P extends { id: string; isHidden: boolean }>(
  pages: readonly P[],
  wanted: string | undefined,
): P | undefined => pages.find(({ id }) => id === wanted) ?? pages.find(({ isHidden }) => !isHidden) ?? pages[0];

const hasRows = ({ chartSpec, savedQueryId }: Pick<Card, 'chartSpec' | 'savedQueryId'>): boolean =>
  chartSpec !== null || savedQueryId !== null;

/** A card with what a board needs to fill it. */
export const filledCard = (card: Card) =>
  ({
    ...card,
    hasRows: hasRows(card),
    ...explorationOf(card.chartSpec?.query.source.kind),
    links: card.chartSpec?.config?.links,
  }) as Parameters<typeof cardConfigs>[0][number] & Card;

export const configsOf = (cards: readonly Parameters<typeof cardConfigs>[0][number][]): Board['cards'] =>
  cardConfigs(cards);

export const filterConfig = ({
  id,
  filterType,
  label,
  fieldId,
  linkedCardIds,
  defaultValue,
}: Types.SharedFilter): Board['filters'][number] => ({
  id,
  type: filterType as Board['filters'][number]['type'],
  label: label || fieldId,
  fieldId,
  linkedCardIds,
  value: parsed(defaultValue),
});

/** JSON that a client has stored, and that may be anything. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Errors as the scripts of boards know them. */
export async function asCardErrors<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const reasons = error.errors.map(({ message }) => message);
    throw new CardError(error.status, error.code, problemOf(error).sentence, { reasons });
  }
}

/** Reads the cards of a dashboard as the signed-in person. */
export const memberAccess = (id: string): Access => ({
  readCard: (cardId, reading) =>
    asCardErrors(api.dashboards.readCard(id, cardId, reading as Types.ReadCard)) as ReturnType<Access['readCard']>,
  drawCard: async (cardId, drawing) =>
    (await asCardErrors(api.dashboards.drawCard(id, cardId, drawing as Types.DrawCard))).text(),
  readValues: (filter, page) => asCardErrors(api.dashboards.readFilterValues(id, filter.id, page)),
  terms: glossary((names) => asCardErrors(api.terms.list({ status: 'approved', limit: 200, names }))),
  // The console shows the sign-in by itself.
  ends: () => false,
});

import {
  addCard,
  assertPage,
  assertRemovable,
  type CardContent,
  type CardRecord,
  changedPart,
  type DashboardCard,
  type DashboardParts,
  dashboardPlaceOf,
  editedDashboard,
  editParts,
  type NamedDashboard,
  partsOf,
  placedAt,
  positionIssues,
  reordered,
  replacedIn,
  showPart,
  showParts,
  withoutCards,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { DashboardDeps } from '../use-cases/context.ts';
import { assertFreeId, notExactSet } from './part-ids.ts';
import type { CreateCard, UpdateCard, UpdateCards } from './schemas.ts';

interface CardNamed extends NamedDashboard {
  cardId: string;
}

type CardChange = Omit<UpdateCard, 'ordinal'>;

/** Throws `DASHBOARD_CARD_ID_TAKEN`, `DASHBOARD_PAGE_NOT_FOUND`, `SAVED_QUERY_NOT_FOUND` or `DASHBOARD_TOO_LARGE`. */
export async function createCard(
  deps: DashboardDeps,
  { card: { id: given, ...card }, newId, ...named }: NamedDashboard & { card: CreateCard; newId: string },
): Promise<DashboardCard> {
  const id = given ?? newId;
  assertFreeId(id);
  const members: CardContent = {
    chartSpec: null,
    savedQueryId: null,
    textContent: null,
    imageUrl: null,
    value: null,
    pageId: null,
    ...card,
  };
  assertFits([[card, '']]);
  const content = async () => {
    await assertQueries(deps, named, [card]);
    return members;
  };
  const state = await addCard(deps, { ...named, cardId: id, requestId: newId, content });
  return showPart(state, 'cards', id) as DashboardCard;
}

/** Throws `DASHBOARD_CARD_NOT_FOUND` and what `createCard` throws. */
export async function updateCard(
  deps: DashboardDeps,
  { cardId, change: { ordinal, ...change }, ...named }: CardNamed & { change: UpdateCard },
): Promise<DashboardCard> {
  assertFits([[change, '']]);
  const state = await editParts(deps, named, async (parts, act) => {
    await assertQueries(deps, named, [change]);
    assertPage(parts, change.pageId);
    const next = changedPart(findCard(parts, cardId), change, act);
    const cards = ordinal === undefined ? replacedIn(parts.cards, next) : placedAt(parts.cards, next, ordinal);
    return { ...partsOf(parts), cards };
  });
  return showPart(state, 'cards', cardId) as DashboardCard;
}

/**
 * All or none. Throws the same codes, and `PRECONDITION_FAILED` if a card has another revision than its update expects.
 */
export async function updateCards(
  deps: DashboardDeps,
  { updates, ...named }: NamedDashboard & UpdateCards,
): Promise<{ items: DashboardCard[]; total: number }> {
  assertFits(updates.map((update, index) => [update, `/updates/${index}`]));
  assertDistinct(updates);
  const state = await editParts(deps, named, async (parts, act) => {
    await assertQueries(deps, named, updates);
    const changed = new Map(
      updates.map(({ id, revision, ...change }) => {
        const card = findCard(parts, id);
        assertRevision(card, revision);
        assertPage(parts, change.pageId);
        return [id, changedPart(card, change, act)];
      }),
    );
    return { ...partsOf(parts), cards: parts.cards.map((card) => changed.get(card.id) ?? card) };
  });
  const changed = new Set(updates.map(({ id }) => id));
  const items = showParts(state.record.id, state).cards.filter(({ id }) => changed.has(id));
  return { items, total: items.length };
}

function assertRevision({ id, revision }: CardRecord, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new AppError('PRECONDITION_FAILED', { detail: `The card ${id} has changed since revision ${expected}.` });
}

function assertDistinct(updates: readonly { id: string }[]): void {
  const errors = updates.flatMap(({ id }, index): Issue[] => {
    const first = updates.findIndex((other) => other.id === id);
    if (first === index) return [];
    const message = `names the card of /updates/${first} again; put both changes into one`;
    return [{ pointer: `/updates/${index}/id`, code: 'DUPLICATE', message }];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** Throws `DASHBOARD_CARD_NOT_FOUND`. */
export async function deleteCard(deps: DashboardDeps, { cardId, ...named }: CardNamed): Promise<void> {
  await editParts(deps, named, (parts, act) => {
    const card = findCard(parts, cardId);
    assertRemovable(card);
    return withoutCards(partsOf(parts), new Set([card.id]), act);
  });
}

/** Takes all cards of the dashboard, or those of one page. */
export async function reorderCards(
  deps: DashboardDeps,
  { cardIds, ...named }: NamedDashboard & { cardIds: readonly string[] },
): Promise<{ items: DashboardCard[]; total: number }> {
  const state = await editParts(deps, named, (parts) => {
    const first = parts.cards.find(({ id }) => id === cardIds[0]);
    const ofPage = first ? parts.cards.filter(({ pageId }) => pageId === first.pageId) : parts.cards;
    const cards = reordered(parts.cards, parts.cards, cardIds) ?? reordered(parts.cards, ofPage, cardIds);
    if (!cards) throw notExactSet('/cardIds', 'must be all cards of the dashboard, or of one page, each once');
    return { ...partsOf(parts), cards };
  });
  const items = showParts(dashboardPlaceOf(state.record).dashboardId, state).cards;
  return { items, total: items.length };
}

function findCard({ cards }: DashboardParts, cardId: string): CardRecord {
  const card = cards.find(({ id }) => id === cardId);
  if (!card) throw new AppError('DASHBOARD_CARD_NOT_FOUND');
  return card;
}

function assertFits(changes: readonly (readonly [CardChange, string])[]): void {
  const errors = changes.flatMap(([{ position }, pointer]) =>
    position ? positionIssues(position, `${pointer}/position`) : [],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

async function assertQueries(
  deps: Pick<DashboardDeps, 'savedQueries' | 'store'>,
  named: NamedDashboard,
  changes: readonly CardChange[],
): Promise<void> {
  const ids = new Set(changes.flatMap(({ savedQueryId }) => savedQueryId ?? []));
  if (ids.size === 0) return;
  const known = await deps.savedQueries(named.principal.workspaceId, [...ids]);
  if (known.size === ids.size) return;
  // The dashboard may be what is missing.
  await editedDashboard(deps, named);
  throw new AppError('SAVED_QUERY_NOT_FOUND');
}

import { type Signal, signal } from '@preact/signals';
import { BoardHistory } from './board-history.ts';
import type { BoardFilter, Card, Dashboard } from './boards.ts';
import { api, type Types } from './client.ts';
import { type Problem, problemOf } from './problem.ts';

/** What can be changed of a card in a batch. */
export type CardChange = Partial<
  Pick<
    Card,
    | 'cardType'
    | 'title'
    | 'description'
    | 'position'
    | 'chartSpec'
    | 'savedQueryId'
    | 'textContent'
    | 'imageUrl'
    | 'value'
    | 'pageId'
  >
>;

/** A change of a card that another person has changed, too: nothing of it is saved. */
export interface Conflict {
  mine: CardChange;
  /** As the other person has saved it; undefined if they have deleted it. */
  theirs: Card | undefined;
}

export type Saving = 'saved' | 'waiting' | 'saving' | Problem;

const PAUSE_MS = 600;
const MAX_BATCH = 90;
const EVERY_MS = 15_000;

const statusOf = (error: unknown): number | undefined => (error as { status?: number }).status;

const picked = (card: Card, change: CardChange): CardChange =>
  Object.fromEntries(Object.keys(change).map((name) => [name, card[name as keyof CardChange]]));

/** A card as it is created again. */
export const cardBody = (card: Card): Types.CreateDashboardCard => {
  const { id, cardType, title, description, position, pageId, chartSpec, savedQueryId, textContent, imageUrl, value } =
    card;
  const given = { chartSpec, savedQueryId, textContent, imageUrl, value, pageId };
  return {
    id,
    cardType: cardType as Types.CreateDashboardCard['cardType'],
    title,
    description,
    position,
    ...(Object.fromEntries(Object.entries(given).filter(([, each]) => each !== null)) as object),
  };
};

/** A filter as it is created again; it then has another id. */
export const filterBody = ({
  fieldId,
  filterType,
  label,
  defaultValue,
  linkedCardIds,
}: BoardFilter): Types.CreateDashboardFilter => ({
  fieldId,
  filterType: filterType as Types.CreateDashboardFilter['filterType'],
  label,
  linkedCardIds,
  ...(defaultValue !== null && { defaultValue }),
});

/**
 * The draft of a dashboard while it is edited. Changes of cards are shown at once and saved together after a pause,
 * each on the condition that nobody else has changed the card; the others are saved even if one is in conflict. What
 * other people do appears every few seconds.
 */
export class BoardDraft {
  readonly id: string;
  readonly board: Signal<Dashboard>;
  readonly conflicts = signal<ReadonlyMap<string, Conflict>>(new Map());
  readonly saving = signal<Saving>('saved');
  readonly history = new BoardHistory();
  /** Changes that are not sent yet, and those of the request that is under way. */
  #pending = new Map<string, CardChange>();
  #sent = new Map<string, CardChange>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(board: Dashboard) {
    this.id = board.id;
    this.board = signal(board);
  }

  get current(): Dashboard {
    return this.board.peek();
  }

  /** Whether nothing would be lost. */
  get isSaved(): boolean {
    return this.saving.peek() === 'saved' && this.conflicts.peek().size === 0;
  }

  card(id: string): Card | undefined {
    return this.current.cards.find((card) => card.id === id);
  }

  /** Looks for changes of others until the returned function is called, which saves what is left. */
  open(): () => void {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.sync().catch(() => {});
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      void this.flush();
    };
  }

  /** One step of the history. */
  change(label: string, changes: ReadonlyMap<string, CardChange>): void {
    const before = new Map<string, CardChange>();
    for (const [id, change] of changes) {
      const card = this.card(id);
      if (card) before.set(id, picked(card, change));
    }
    if (before.size === 0) return;
    this.#apply(changes);
    this.history.add({ label, undo: () => this.#apply(before), redo: () => this.#apply(changes) });
  }

  async addCard(body: Omit<Types.CreateDashboardCard, 'id'>): Promise<Card> {
    const made = await this.#inOrder(() => api.dashboards.createCard(this.id, { id: newPartId('card'), ...body }));
    this.#setCards([...this.current.cards, made]);
    const again = () => cardBody(this.card(made.id) ?? made);
    let kept = again();
    this.history.add({
      label: `Add ${made.title || 'a card'}`,
      undo: async () => {
        kept = again();
        await this.#remove(made.id);
      },
      redo: () => this.#restore(kept),
    });
    return made;
  }

  async removeCard(id: string): Promise<void> {
    const card = this.card(id);
    if (!card) return;
    const body = cardBody(card);
    const linked = this.filtersOf([id]);
    const remove = async () => {
      await this.#remove(id);
      if (linked.length > 0) await this.sync();
    };
    await remove();
    this.history.add({
      label: `Delete ${card.title || 'a card'}`,
      undo: async () => {
        await this.#restore(body);
        await this.link(linked);
      },
      redo: remove,
    });
  }

  /** The filters with links to one of the cards, which they lose with it. */
  filtersOf(cardIds: readonly string[]): BoardFilter[] {
    return this.current.filters.filter(({ linkedCardIds }) => linkedCardIds.some((id) => cardIds.includes(id)));
  }

  /** Gives filters the links back that they had; one that had no others was deleted with them. */
  async link(filters: readonly BoardFilter[]): Promise<void> {
    if (filters.length === 0) return;
    await this.structure(async () => {
      for (const filter of filters) {
        const now = this.current.filters.find(({ id }) => id === filter.id);
        const linkedCardIds = [...new Set([...(now?.linkedCardIds ?? []), ...filter.linkedCardIds])];
        if (now) await api.dashboards.updateFilter(this.id, filter.id, { linkedCardIds });
        else await api.dashboards.createFilter(this.id, filterBody(filter));
      }
    });
  }

  async #remove(id: string): Promise<void> {
    await this.flush();
    const card = this.card(id);
    if (!card) return;
    await this.#inOrder(() => api.dashboards.deleteCard(this.id, id, { ifMatch: card.revision }));
    this.#forget(id);
    this.#setCards(this.current.cards.filter((each) => each.id !== id));
  }

  async #restore(body: Types.CreateDashboardCard): Promise<void> {
    const made = await this.#inOrder(() => api.dashboards.createCard(this.id, body));
    this.#setCards([...this.current.cards, made]);
  }

  /** Saves over what the other person has saved. */
  async keepMine(id: string): Promise<void> {
    const conflict = this.conflicts.peek().get(id);
    if (!conflict) return;
    const mine = this.card(id);
    this.#endConflict(id);
    if (conflict.theirs) {
      this.#replace({ ...conflict.theirs, ...conflict.mine });
      this.#wait(id, conflict.mine);
      await this.flush();
    } else if (mine) {
      this.#setCards(this.current.cards.filter((each) => each.id !== id));
      await this.#restore(cardBody(mine));
    }
  }

  takeTheirs(id: string): void {
    const conflict = this.conflicts.peek().get(id);
    if (!conflict) return;
    this.#endConflict(id);
    if (conflict.theirs) this.#replace(conflict.theirs);
    else this.#setCards(this.current.cards.filter((each) => each.id !== id));
  }

  /** Does something with the pages and filters, in order with the changes of cards, and shows the result. */
  async structure<T>(work: () => PromiseLike<T>): Promise<T> {
    await this.flush();
    const result = await this.#inOrder(work);
    await this.sync();
    return result;
  }

  /** Sends what is waiting. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#inOrder(async () => {
      while (this.#pending.size > 0) if (!(await this.#send())) return;
    });
  }

  /** Shows what others have saved, except of the cards that are being changed here. */
  async sync(): Promise<void> {
    const newest = await api.dashboards.get(this.id);
    const isOwn = (id: string) => this.#pending.has(id) || this.#sent.has(id) || this.conflicts.peek().has(id);
    const known = new Map(this.current.cards.map((card) => [card.id, card]));
    const cards = newest.cards.map((card) => {
      const own = known.get(card.id);
      return own && (isOwn(card.id) || own.revision >= card.revision) ? own : card;
    });
    const ids = new Set(newest.cards.map(({ id }) => id));
    const kept = this.current.cards.filter(({ id }) => !ids.has(id) && isOwn(id));
    this.board.value = { ...newest, cards: [...cards, ...kept] };
  }

  #apply(changes: ReadonlyMap<string, CardChange>): void {
    for (const [id, change] of changes) {
      const card = this.card(id);
      if (!card) continue;
      this.#replace({ ...card, ...change });
      const conflict = this.conflicts.peek().get(id);
      if (conflict) this.#setConflict(id, { ...conflict, mine: { ...conflict.mine, ...change } });
      else this.#wait(id, change);
    }
  }

  #wait(id: string, change: CardChange): void {
    this.#pending.set(id, { ...this.#pending.get(id), ...change });
    this.saving.value = 'waiting';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), PAUSE_MS);
  }

  /** Resolves to whether it makes sense to go on. */
  async #send(): Promise<boolean> {
    this.#sent = new Map([...this.#pending].slice(0, MAX_BATCH));
    for (const id of this.#sent.keys()) this.#pending.delete(id);
    const updates = [...this.#sent].flatMap(([id, change]) => {
      const card = this.card(id);
      return card ? [{ id, revision: card.revision, ...change } as Types.DashboardCardUpdate] : [];
    });
    if (updates.length === 0) return true;
    this.saving.value = 'saving';
    try {
      const { items } = await api.dashboards.updateCards(this.id, { updates });
      for (const saved of items) {
        if (!this.#sent.has(saved.id)) continue;
        // What was changed meanwhile stays on top of what was saved.
        this.#replace({ ...saved, ...this.#pending.get(saved.id) });
      }
      this.#sent.clear();
      this.saving.value = this.#pending.size > 0 ? 'waiting' : 'saved';
      return true;
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #failed(error: unknown): Promise<boolean> {
    const sent = this.#sent;
    this.#sent = new Map();
    const putBack = (ids: Iterable<string>) => {
      for (const id of ids) this.#pending.set(id, { ...sent.get(id), ...this.#pending.get(id) });
    };
    const isStale = statusOf(error) === 412 || statusOf(error) === 404;
    const newest = isStale ? await api.dashboards.get(this.id).catch(() => undefined) : undefined;
    if (!newest) {
      putBack(sent.keys());
      this.saving.value = problemOf(error);
      return false;
    }
    const theirs = new Map(newest.cards.map((card) => [card.id, card]));
    const changed = [...sent.keys()].filter((id) => theirs.get(id)?.revision !== this.card(id)?.revision);
    for (const id of changed) {
      const mine = { ...sent.get(id), ...this.#pending.get(id) };
      this.#pending.delete(id);
      this.#setConflict(id, { mine, theirs: theirs.get(id) });
    }
    putBack([...sent.keys()].filter((id) => !changed.includes(id)));
    if (changed.length === 0) {
      this.saving.value = problemOf(error);
      return false;
    }
    this.saving.value = this.#pending.size > 0 ? 'waiting' : 'saved';
    return true;
  }

  /** One request after the other. */
  #inOrder<T>(work: () => PromiseLike<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => {});
    return next;
  }

  #replace(card: Card): void {
    this.#setCards(this.current.cards.map((each) => (each.id === card.id ? card : each)));
  }

  #setCards(cards: Card[]): void {
    this.board.value = { ...this.current, cards };
  }

  #forget(id: string): void {
    this.#pending.delete(id);
    this.#endConflict(id);
  }

  #setConflict(id: string, conflict: Conflict): void {
    this.conflicts.value = new Map(this.conflicts.peek()).set(id, conflict);
  }

  #endConflict(id: string): void {
    const others = new Map(this.conflicts.peek());
    if (others.delete(id)) this.conflicts.value = others;
  }
}

/** An id that no other part of the dashboard has. */
export const newPartId = (kind: string): string => `${kind}-${crypto.randomUUID().slice(0, 8)}`;

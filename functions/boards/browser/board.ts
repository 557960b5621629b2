import type { ThemeTokens } from '../../../shared/data/charts/theme.ts';
import type { Access } from './access.ts';
import { type CardConfig, type CardMenus, showCards } from './cards.ts';
import { type CardFilter, conditionsOf, type Filter } from './conditions.ts';
import { byId, el } from './dom.ts';
import { addressWith, type Exploring, exploringOf, nameOfRow } from './exploring.ts';
import { showFilters, valuesOf } from './filters.ts';
import { zonesOf } from './zones.ts';

export interface Board {
  tokens: ThemeTokens;
  cards: CardConfig[];
  filters: Filter[];
  /** The time zone of the dashboard or of the workspace; null without one. */
  timezone: string | null;
}

export interface ShownBoard {
  /** Reads the cards again. */
  read(): Promise<void>;
  /** Reads the data of the cards again, however new the known rows are. */
  refresh(): Promise<void>;
  /** Prints the page in light colors. */
  print(): Promise<void>;
  /** What the reader has chosen for all cards. */
  chosen(): { filters: CardFilter[]; timezone?: string | undefined };
}

interface BoardChoices {
  /** Aborted when the page shows something else. */
  left?: AbortSignal | undefined;
  menus?: CardMenus;
  /** Shows the board with the choices of another address, in place of this one. */
  open?: (address: string) => void;
}

/** Fills the cards and the filter bar of the page, until `left` aborts. Readers with `menus` can explore the cards. */
export function showBoard(
  { tokens, cards, filters, timezone }: Board,
  access: Access,
  { left, menus, open = (address) => location.assign(address) }: BoardChoices = {},
): ShownBoard {
  let values = valuesOf(filters);
  const explores = menus !== undefined;
  let exploring = exploringOf(explores ? location.search : '');
  const change = (next: Exploring, concerns: (cardId: string) => boolean) => {
    exploring = next;
    history.pushState(null, '', addressWith(location.href, next));
    showSelected();
    void shown.read(concerns);
  };
  const select = (selection: Exploring['selection']) => {
    const before = exploring.selection?.cardId;
    // A card does not filter itself: within one card, only the others change.
    change({ ...exploring, selection }, (cardId) => cardId !== selection?.cardId || cardId !== before);
  };
  const drill = (cardId: string, steps: Exploring['drill'][string]) =>
    change({ ...exploring, drill: { ...exploring.drill, [cardId]: steps } }, (each) => each === cardId);
  const zones = zonesOf(timezone, () => void shown.read());
  const shown = showCards(cards, {
    access,
    tokens,
    left,
    filters: () => conditionsOf(filters, values),
    zones,
    ...(menus && { menus, choices: { exploring: () => exploring, select, drill } }),
  });

  function showSelected(): void {
    const line = byId('selected');
    const { selection } = exploring;
    if (!line) return;
    line.hidden = selection === undefined;
    line.replaceChildren();
    if (!selection) return;
    const title = byId(`card-${selection.cardId}`)?.getAttribute('aria-label') ?? 'another page';
    const clear = el('button', { type: 'button', class: 'plain' }, 'Clear the selection');
    clear.addEventListener('click', () => select(undefined));
    line.replaceChildren(`Filtered by ${nameOfRow(selection.values)} in ${title}`, ' ', clear);
  }

  const form = document.querySelector<HTMLFormElement>('form.filters');
  if (form) {
    showFilters(form, { access, filters, values, open }, (chosen) => {
      values = chosen;
      void shown.read();
    });
  }
  if (explores)
    onBack(
      left,
      () => filtersIn(location.search),
      (isAnew) => {
        if (isAnew) return open(location.href);
        exploring = exploringOf(location.search);
        showSelected();
        void shown.read();
      },
    );
  showSelected();
  void shown.read();
  return {
    ...shown,
    chosen() {
      const wanted = zones.wanted({});
      return { filters: conditionsOf(filters, values), ...(wanted !== undefined && { timezone: wanted }) };
    },
  };
}

const filtersIn = (search: string): string | null => new URLSearchParams(search).get('filters');

/** The back button undoes a click. Other filter values need other controls, so the board is shown anew. */
function onBack(left: AbortSignal | undefined, filters: () => string | null, run: (isAnew: boolean) => void): void {
  let shown = filters();
  const options = left ? { signal: left } : {};
  addEventListener('change', () => setTimeout(() => (shown = filters())), options);
  addEventListener('popstate', () => run(filters() !== shown), options);
}

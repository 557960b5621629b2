import type { ThemeTokens } from '../../../shared/data/charts/theme.ts';
import type { Access } from './access.ts';
import { type CardConfig, showCards } from './cards.ts';
import { conditionsOf, type Filter } from './conditions.ts';
import { showFilters, valuesOf } from './filters.ts';

export interface Board {
  tokens: ThemeTokens;
  cards: CardConfig[];
  filters: Filter[];
}

/** Fills the cards and the filter bar of the page, until `left` aborts. `read` reads the cards again. */
export function showBoard(
  { tokens, cards, filters }: Board,
  access: Access,
  left?: AbortSignal,
): { read(): Promise<void> } {
  let values = valuesOf(filters);
  const shown = showCards(cards, { access, tokens, left, filters: () => conditionsOf(filters, values) });
  const form = document.querySelector<HTMLFormElement>('form.filters');
  if (form) {
    showFilters(form, { access, filters, values }, (chosen) => {
      values = chosen;
      void shown.read();
    });
  }
  void shown.read();
  return shown;
}

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fillOf, placedCards } from '../../../../../../shared/data/charts/board-cards.ts';
import type { Access } from '../../../../../boards/browser/access.ts';
import { type ShownBoard, showBoard } from '../../../../../boards/browser/board.ts';
import type { CardMenus } from '../../../../../boards/browser/cards.ts';
import { configsOf, filterConfig } from '../../data/boards.ts';
import type { Types } from '../../data/client.ts';
import { type Tokens, themeStyle } from '../../data/themes.ts';
import { Empty } from '../../ui/states.tsx';
import { CardFrame, type CardMenuOf } from './card-frame.tsx';
import type { SeenCard } from './seen-card.ts';

interface BoardProps {
  /** Those of the page. */
  cards: readonly SeenCard[];
  filters: readonly Types.SharedFilter[];
  tokens: Tokens;
  timezone: string | null;
  access: Access;
  /** What readers can do with marks and rows; without it, they can only look. */
  menus?: CardMenus;
  /** Shows the board with the choices of another address. */
  open?: (address: string) => void;
  /** What the menu of a card offers. */
  menuOf?: CardMenuOf;
  /** Called with the board once its script has it. */
  onShown?: (shown: ShownBoard) => void;
}

/**
 * A page of a dashboard as its readers see it: frames by this component, and charts and tables by the scripts that the
 * pages of dashboards have. Another key shows it anew; nothing else does.
 */
export function Board(props: BoardProps) {
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { cards, filters, tokens, timezone, access, menus, open, onShown } = props;
    const left = new AbortController();
    const shown = showBoard(
      {
        tokens,
        timezone,
        cards: configsOf(placedCards(cards).map(({ card }) => card)),
        filters: filters.map(filterConfig),
      },
      access,
      { left: left.signal, ...(menus && { menus }), ...(open && { open }) },
    );
    onShown?.(shown);
    return () => left.abort();
  }, []);
  // What the script has put into the frames stays: they are made once.
  return useMemo(() => {
    const { cards, filters, tokens, menuOf } = props;
    const placed = placedCards(cards);
    return (
      <div class={tokens.dark ? 'board always-dark' : 'board'} style={themeStyle(tokens)} ref={board}>
        {filters.length > 0 && <form class="filters" aria-label="Filters" hidden />}
        <p class="zone" id="zone" hidden />
        <p class="selected" id="selected" hidden />
        {placed.length > 0 ? (
          <div class="grid">
            {placed.map(({ card, row }) => (
              <CardFrame key={card.id} card={card} row={row} fill={fillOf(card)} menuOf={menuOf} />
            ))}
          </div>
        ) : (
          <Empty icon="layout-dashboard" title="This page has no cards yet" />
        )}
        <p class="sr" role="status" id="status" />
      </div>
    );
  }, []);
}

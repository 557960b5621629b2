import { useLocation } from 'preact-iso/router';
import type { BoardDraft } from '../../data/board-draft.ts';
import { cardsOfPage, shownPage } from '../../data/boards.ts';
import type { Tokens } from '../../data/themes.ts';
import { Empty } from '../../ui/states.tsx';
import { CardPanel } from './card-panel.tsx';
import { EditGrid } from './edit-grid.tsx';
import { PageBar } from './page-bar.tsx';

interface CardsProps {
  draft: BoardDraft;
  tokens: Tokens;
  /** The time zone of the workspace. */
  zone: string | null;
  pageId: string | undefined;
  selected: string | undefined;
  select: (cardId: string | undefined) => void;
}

/** The cards of a page on their grid, and the settings of the one that is selected. */
export function Cards({ draft, tokens, zone, pageId, selected, select }: CardsProps) {
  const { route, path } = useLocation();
  const { pages, cards } = draft.board.value;
  const page = shownPage(pages, pageId);
  const shown = cardsOfPage(cards, pages, page?.id);
  const chosen = shown.find(({ id }) => id === selected);
  const open = (id: string | undefined) => {
    select(undefined);
    route(id === undefined ? path : `${path}?page=${encodeURIComponent(id)}`, true);
  };
  return (
    <div class={chosen ? 'editing with-panel' : 'editing'}>
      <p class="small-screen hint">Cards are moved and edited better on a larger screen.</p>
      <PageBar draft={draft} current={page?.id} open={open} />
      <div class="editing-parts">
        {shown.length > 0 ? (
          <EditGrid
            key={page?.id ?? ''}
            draft={draft}
            cards={shown}
            tokens={tokens}
            zone={zone}
            selected={chosen?.id}
            select={select}
          />
        ) : (
          <Empty icon="layout-dashboard" title="This page has no cards yet">
            “Add card” above makes one: a chart of a dataset, a model or a saved query, a metric, or a text.
          </Empty>
        )}
        {chosen && <CardPanel key={chosen.id} draft={draft} card={chosen} tokens={tokens} select={select} />}
      </div>
    </div>
  );
}

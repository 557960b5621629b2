import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { ShownBoard } from '../../../../../boards/browser/board.ts';
import { cardMenus } from '../../../../../boards/browser/card-menus.ts';
import {
  cardsOfPage,
  type Dashboard,
  filledCard,
  memberAccess,
  shownPage,
  useDashboard,
  useZone,
} from '../../data/boards.ts';
import { api, type Types } from '../../data/client.ts';
import { CARD_FILES, dashboardFile, type Format, useExport } from '../../data/exports.ts';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import { useTokens } from '../../data/themes.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Board } from './board.tsx';
import { openDefaultBookmark, useBookmarks } from './bookmarks.tsx';
import { Deleted } from './deleted.tsx';
import { ExportLine } from './export-line.tsx';
import { PageLinks } from './page-links.tsx';
import { SeenActions } from './seen-actions.tsx';
import type { SeenCard } from './seen-card.ts';
import { Stage } from './stage.tsx';

const pageOf = (id: string): string => to(`/dashboards/${id}`);
const MENUS = cardMenus(() => import('../../../../../boards/browser/link-places.ts'), pageOf);

/** A dashboard as the person sees it. */
export default function DashboardScreen({ params: { id = '' }, query }: ScreenProps) {
  const { data: dashboard, error, refresh } = useDashboard(id);
  const tokens = useTokens(dashboard?.theme);
  const bookmarks = useBookmarks(id);
  const zone = useZone();
  const { route } = useLocation();
  const name = dashboard?.name;
  useRecent('dashboard', id, dashboard?.deletedAt ? null : name, error);
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} – Analytics`;
  }, [id, name]);
  const isBare = Object.keys(query).length === 0;
  // Without anything in the address, the default bookmark opens.
  const isWaiting = isBare && bookmarks.isLoading;
  useEffect(() => {
    if (isBare && bookmarks.data) openDefaultBookmark(bookmarks.data, (address) => route(address, true));
  }, [isBare, bookmarks.data]);
  if (dashboard?.deletedAt) {
    const record = { name: dashboard.name, deletedAt: dashboard.deletedAt };
    return <Deleted what="dashboard" record={record} restore={() => api.dashboards.restore(id)} />;
  }
  if (!dashboard || !tokens || zone === undefined || isWaiting) {
    const isGone = dashboard === undefined && error;
    return (
      <Page title={name ?? 'Dashboard'}>
        {isGone ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  return (
    <Seen
      key={id}
      dashboard={dashboard}
      timezone={dashboard.timezone ?? zone}
      tokens={tokens}
      bookmarks={bookmarks.data ?? []}
      query={query}
    />
  );
}

interface SeenProps {
  dashboard: Dashboard;
  /** Of the dashboard or the workspace. */
  timezone: string | null;
  tokens: Types.ThemeTokens;
  bookmarks: readonly Types.DashboardBookmark[];
  query: ScreenProps['query'];
}

function Seen({ dashboard, timezone, tokens, bookmarks, query }: SeenProps) {
  const { id, name, description, pages, filters, viewerMeta: rights } = dashboard;
  const shown = useRef<ShownBoard>(undefined);
  const [count, showAnew] = useState(0);
  const page = shownPage(pages, query.page);
  const cards = cardsOfPage(dashboard.cards, pages, page?.id).map(filledCard);
  const exporting = useExport(id, dashboardFile);
  // The menus of cards ask for it by themselves: what is shown stays when it arrives.
  const canExport = useSignal(false);
  canExport.value = rights?.canExport === true;
  const chosen = () => shown.current?.chosen() ?? { filters: [] };
  const write = (format: Format, more: object) => void exporting.start(format, { ...chosen(), ...more } as object);
  const open = (address: string) => {
    history.pushState(null, '', address);
    showAnew((before) => before + 1);
  };
  const menuOf = (card: SeenCard) => [
    [
      {
        label: 'Full screen',
        icon: 'monitor' as const,
        run: () =>
          void document
            .getElementById(`card-${card.id}`)
            ?.requestFullscreen()
            .catch(() => {}),
      },
    ],
    canExport.value
      ? Object.entries(CARD_FILES).map(([format, label]) => ({
          label: `Download as ${label}`,
          icon: 'download' as const,
          run: () => write(format as Format, { cardIds: [card.id] }),
        }))
      : [],
  ];
  // What is seen, and by which address it was reached.
  const parts = [...cards, ...filters].map((part) => `${part.id} ${part.revision}`);
  const key = JSON.stringify([page?.id, parts, tokens, query, count]);
  return (
    <Page
      title={name}
      mark={rights?.permission === 'editor' && <Stage dashboard={dashboard} />}
      {...(description && { lead: description })}
      actions={
        <SeenActions
          dashboard={dashboard}
          pageId={page?.id}
          rights={rights}
          bookmarks={bookmarks}
          shown={() => shown.current}
          write={write}
        />
      }
    >
      <ExportLine exporting={exporting} />
      <PageLinks pages={pages} current={page?.id} />
      <Board
        key={key}
        cards={cards}
        filters={filters}
        tokens={tokens}
        timezone={timezone}
        access={memberAccess(id)}
        menus={MENUS}
        open={open}
        menuOf={menuOf}
        onShown={(board) => {
          shown.current = board;
        }}
      />
    </Page>
  );
}

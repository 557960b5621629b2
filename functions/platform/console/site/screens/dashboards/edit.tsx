import { useEffect, useMemo, useState } from 'preact/hooks';
import { BoardDraft } from '../../data/board-draft.ts';
import { type Dashboard, useDashboard, useZone } from '../../data/boards.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useTokens } from '../../data/themes.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading, NotAllowed } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Cards } from './cards-tab.tsx';
import { EditActions } from './edit-actions.tsx';
import { SavingText } from './saving-text.tsx';
import { Stage } from './stage.tsx';

const Filters = lazyPart(() => import('./filters-tab.tsx'));
const Versions = lazyPart(() => import('./versions-tab.tsx'));
const File = lazyPart(() => import('./file-tab.tsx'));

const TABS = [
  { id: 'cards', label: 'Cards' },
  { id: 'filters', label: 'Filters' },
  { id: 'versions', label: 'Versions' },
  { id: 'file', label: 'File' },
];

/** The draft of a dashboard. What is changed is saved by itself; readers see it once it is published. */
export default function EditDashboard({ params: { id = '' }, query }: ScreenProps) {
  const { data: dashboard, error, refresh } = useDashboard(id);
  if (!dashboard) {
    return (
      <Page title="Dashboard">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  const { viewerMeta: rights } = dashboard;
  if (rights?.permission !== 'editor') {
    return (
      <NotAllowed isPage title={`You cannot edit ${dashboard.name}`}>
        Editors of the workspace can, and people who were granted it. An editor can share it with you.
      </NotAllowed>
    );
  }
  return <Editor key={id} dashboard={dashboard} query={query} />;
}

function Editor({ dashboard, query }: { dashboard: Dashboard; query: ScreenProps['query'] }) {
  const draft = useMemo(() => new BoardDraft(dashboard), []);
  const [selected, select] = useState<string | undefined>(query.card);
  const board = draft.board.value;
  const tokens = useTokens(board.theme);
  const zone = useZone();
  useEffect(() => {
    void draft.sync().catch(() => {});
    const close = draft.open();
    const onLeave = (event: BeforeUnloadEvent) => {
      if (!draft.isSaved) event.preventDefault();
    };
    addEventListener('beforeunload', onLeave);
    return () => {
      removeEventListener('beforeunload', onLeave);
      close();
      void refreshQueries(['dashboards']);
    };
  }, [draft]);
  useEffect(() => {
    document.title = `${board.name} – Analytics`;
  }, [board.name]);
  return (
    <Page
      title={board.name}
      mark={<Stage dashboard={board} />}
      lead={<SavingText draft={draft} />}
      actions={<EditActions draft={draft} pageId={query.page} select={select} />}
    >
      <Tabs label="Parts of the dashboard" tabs={TABS}>
        {(tab) => {
          if (tab === 'filters') return <Filters draft={draft} />;
          if (tab === 'versions') return <Versions draft={draft} />;
          if (tab === 'file') return <File draft={draft} />;
          return tokens && zone !== undefined ? (
            <Cards draft={draft} tokens={tokens} zone={zone} pageId={query.page} selected={selected} select={select} />
          ) : (
            <Loading rows={8} />
          );
        }}
      </Tabs>
    </Page>
  );
}

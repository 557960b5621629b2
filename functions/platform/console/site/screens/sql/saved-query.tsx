import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { tabsOf } from './open-tabs.ts';
import { RunSaved } from './run-saved.tsx';
import { openSaved } from './saved.ts';

/** A saved query: a tab of the pad for those who may write statements; others run it as it is. */
export default function SavedQueryScreen({ params: { id = '' } }: ScreenProps) {
  const { route } = useLocation();
  const me = useMe().data;
  const isEditor = hasRole(me, 'editor');
  const { data: query, error, refresh } = useQuery(['saved-queries', id, 'opened'], () => api.savedQueries.get(id));
  useRecent('saved_query', id, query?.name, error);
  const [isOpened, setOpened] = useState(false);
  useEffect(() => {
    if (!query || !me || isOpened) return;
    setOpened(true);
    if (!isEditor) return;
    openSaved(tabsOf(`${me.workspaceId} ${me.user.id}`), query);
    route(to('/sql'), true);
  }, [query, me]);
  if (query && !isEditor) return <RunSaved query={query} />;
  return (
    <Page title="Query">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}</Page>
  );
}

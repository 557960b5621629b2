import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useMe } from '../../data/me.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Loading } from '../../ui/states.tsx';
import { tabsOf } from './open-tabs.ts';
import { Pad } from './pad.tsx';
import { nameInSql } from './statements.ts';

/** Statements over datasets and databases. */
export default function Sql({ query: { table } }: ScreenProps) {
  const { route } = useLocation();
  const me = useMe().data;
  const owner = me && `${me.workspaceId} ${me.user.id}`;
  const tabs = useMemo(() => owner && tabsOf(owner), [owner]);
  useEffect(() => {
    if (!tabs || !table) return;
    tabs.add({ name: table, sql: `SELECT *\nFROM ${nameInSql(table)}\nLIMIT 100` });
    route(to('/sql'), true);
  }, [tabs, table]);
  return owner && tabs ? <Pad key={owner} owner={owner} tabs={tabs} /> : <Loading isPage />;
}

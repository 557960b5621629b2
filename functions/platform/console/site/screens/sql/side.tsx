import { problemOf } from '../../data/problem.ts';
import type { Query } from '../../data/query.ts';
import { IconButton } from '../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Tabs as Views } from '../../ui/tabs.tsx';
import type { CatalogTable } from './catalog.ts';
import type { Past } from './history.ts';
import { HistoryList } from './history-list.tsx';
import type { SavedQuery } from './saved.ts';
import { SavedList } from './saved-list.tsx';
import { SchemaTree } from './schema-tree.tsx';

interface SideProps {
  owner: string;
  catalog: Query<CatalogTable[]>;
  sourceId: string | null;
  insert(name: string, schema?: string, isTable?: boolean): void;
  openSaved(query: SavedQuery): void;
  openPast(past: Past): void;
}

const VIEWS = [
  { id: 'tables', label: 'Tables' },
  { id: 'saved', label: 'Saved' },
  { id: 'history', label: 'History' },
];

/** What statements are made of: tables, saved queries, and earlier runs. */
export function Side({ owner, catalog, sourceId, insert, openSaved, openPast }: SideProps) {
  return (
    <aside class="sql-side" aria-label="Tables and queries">
      <Views label="Tables and queries" tabs={VIEWS} param="side">
        {(view) => (
          <>
            {view === 'tables' && <Tables catalog={catalog} sourceId={sourceId} insert={insert} />}
            {view === 'saved' && <SavedList open={openSaved} />}
            {view === 'history' && <HistoryList owner={owner} open={openPast} />}
          </>
        )}
      </Views>
    </aside>
  );
}

function Tables({
  catalog: { data, error, isRefreshing, refresh },
  sourceId,
  insert,
}: Pick<SideProps, 'catalog' | 'sourceId' | 'insert'>) {
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />;
  if (data.length === 0) {
    return (
      <Empty icon="table" title="There are no tables yet">
        Drop a file on the home page, or import tables from a source.
      </Empty>
    );
  }
  return (
    <div class="sql-tables">
      <IconButton icon="refresh-cw" label="Read the tables again" onClick={refresh} />
      {error && <p class="hint">Some tables could not be read. Refresh to try again.</p>}
      <SchemaTree key={sourceId} tables={data} sourceId={sourceId} isReading={isRefreshing} insert={insert} />
    </div>
  );
}

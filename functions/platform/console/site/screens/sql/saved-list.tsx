import { useState } from 'preact/hooks';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { countOf } from '../../ui/format.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import type { SavedQuery } from './saved.ts';

const SHOWN = 100;

/** The saved queries of the workspace, latest change first. */
export function SavedList({ open }: { open(query: SavedQuery): void }) {
  const [search, setSearch] = useState('');
  const { data, error, refresh } = useQuery(
    ['saved-queries', search],
    () => api.savedQueries.list({ sort: '-updatedAt', limit: SHOWN, ...(search && { search }) }),
    { keepsLast: true },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const { items, total } = data;
  if (items.length === 0 && !search) {
    return (
      <Empty icon="save" title="Nothing is saved yet">
        Save a statement to run it again, and to show it on dashboards.
      </Empty>
    );
  }
  return (
    <div class="sql-list">
      <SearchField label="Search saved queries" value={search} onSearch={setSearch} />
      {items.length === 0 && <p class="hint">No saved query has this text in its name.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keyboard. */}
      <ul aria-label="Saved queries" tabIndex={0}>
        {items.map((query) => (
          <li key={query.id}>
            <button type="button" onClick={() => open(query)}>
              <span class="sql-item-title">{query.name}</span>
              <span class="hint">
                {query.folder && `${query.folder} · `}
                <Ago at={query.updatedAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p class="hint">
          The latest {items.length} of {countOf(total)}. Search to find the others.
        </p>
      )}
    </div>
  );
}

import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import type { TreeTerm } from '../../data/term-tree.ts';
import { readTermTree } from '../../data/terms.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago } from '../../ui/time.tsx';
import { TermFile } from './term-file.tsx';
import { STATUSES, statusText } from './term-words.ts';

type Term = Types.Term;

const TABS = [
  { id: 'list', label: 'List' },
  { id: 'tree', label: 'Tree' },
] as const;

/** The terms of the workspace: what words mean. */
export default function Glossary({ query }: ScreenProps) {
  const { route } = useLocation();
  const canWrite = hasRole(useMe().data, 'editor');
  const { q = '', status = '', sort = 'name' } = query;
  const filters = { ...(q && { search: q }), ...(status && { status: status as 'draft' }) };
  const list = useList<Term>(
    ['terms', 'list', filters, sort],
    (place) => api.terms.list({ ...filters, sort: sort as 'name', ...place }),
    { keepsLast: true },
  );
  const { items, total, error, isLoading, refresh } = list;
  const show = (change: Record<string, string>) => route(to('/catalog/terms', { ...query, ...change }), true);
  const isFiltered = Boolean(q || status);
  const make = canWrite && (
    <Link to="/catalog/terms/new" class="button main">
      <Icon name="plus" size={16} />
      New term
    </Link>
  );
  const isEmpty = items?.length === 0 && !isFiltered;
  return (
    <Page
      title="Glossary"
      lead={total !== undefined && total > 0 && `${counted(total, 'term')}${isFiltered ? ' found' : ''}`}
      actions={
        <>
          <TermFile canWrite={canWrite} />
          {!isEmpty && make}
        </>
      }
    >
      {!items && error !== null && <Failed problem={problemOf(error)} retry={refresh} />}
      {isLoading && <Loading rows={8} />}
      {isEmpty && (
        <Empty icon="book-open" title="There are no terms yet" action={make}>
          A term says what a word means in your company, such as revenue or active customer.
        </Empty>
      )}
      {items && !isEmpty && (
        <Tabs label="Views of the glossary" tabs={TABS} param="view">
          {(view) =>
            view === 'tree' ? (
              <TermTree />
            ) : (
              <>
                <div class="filters">
                  <SearchField label="Search terms" value={q} onSearch={(text) => show({ q: text })} />
                  <SelectField
                    label="Status"
                    value={status}
                    onChange={({ currentTarget: { value } }) => show({ status: value })}
                  >
                    <option value="">all</option>
                    {STATUSES.map((each) => (
                      <option key={each} value={each}>
                        {statusText(each)}
                      </option>
                    ))}
                  </SelectField>
                </div>
                {items.length === 0 ? (
                  <Empty icon="book-open" title="No term matches">
                    Try a part of the name, or another status.
                  </Empty>
                ) : (
                  <Table
                    label="Terms"
                    columns={COLUMNS}
                    list={list}
                    keyOf={({ id }) => id}
                    sort={sort}
                    onSort={(next) => show({ sort: next })}
                  />
                )}
              </>
            )
          }
        </Tabs>
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<Term>[] = [
  {
    id: 'name',
    label: 'Term',
    sort: 'name',
    cell: ({ id, name, abbreviation }) => (
      <span class="named">
        <Link to={`/catalog/terms/${id}`}>{name}</Link>
        {abbreviation && <span class="hint">{abbreviation}</span>}
      </span>
    ),
  },
  { id: 'definition', label: 'Definition', width: '45%', isMinor: true, cell: ({ definition }) => definition },
  { id: 'status', label: 'Status', width: '120px', cell: ({ status }) => statusText(status) },
  {
    id: 'changed',
    label: 'Changed',
    width: '130px',
    sort: 'updatedAt',
    isLargestFirst: true,
    isMinor: true,
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
];

/** Terms below the broader ones that include them. */
function TermTree() {
  const { data, error, isLoading, refresh } = useQuery(['terms', 'tree'], async () => (await readTermTree()) ?? null);
  if (isLoading) return <Loading rows={8} />;
  if (error) return <Failed problem={problemOf(error)} retry={refresh} />;
  if (!data) {
    return (
      <Empty icon="book-open" title="The glossary is too large for a tree">
        Each term shows its broader and narrower ones.
      </Empty>
    );
  }
  return <Branch terms={data} />;
}

const Branch = ({ terms }: { terms: readonly TreeTerm[] }) => (
  <ul class="term-tree">
    {terms.map(({ id, name, status, narrower }) => (
      <li key={id}>
        <Link to={`/catalog/terms/${id}`}>{name}</Link>{' '}
        {status !== 'approved' && <span class="hint">{statusText(status)}</span>}
        {narrower.length > 0 && <Branch terms={narrower} />}
      </li>
    ))}
  </ul>
);

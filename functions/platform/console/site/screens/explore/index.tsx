import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { problemOf } from '../../data/problem.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { countOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const COLUMNS: readonly Column<Types.Model>[] = [
  {
    id: 'name',
    label: 'Model',
    width: '36%',
    cell: ({ id, name, isCertified, deprecation }) => (
      <span class="named">
        <Link to={`/explore/${id}`}>{name}</Link>
        {isCertified && <span class="tag">certified</span>}
        {deprecation && <span class="tag">deprecated</span>}
      </span>
    ),
  },
  { id: 'description', label: 'Description', isMinor: true, cell: ({ description }) => description },
  {
    id: 'tables',
    label: 'Tables',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ tableCount }) => countOf(tableCount),
  },
  { id: 'updated', label: 'Changed', isMinor: true, width: '130px', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];

/** The models, of which one is chosen to ask. */
export default function Explore({ query: { q = '' } }: ScreenProps) {
  const { route } = useLocation();
  const list = useList<Types.Model>(['models', 'explore', q], (place) =>
    api.models.list({ sort: 'name', ...(q && { search: q }), ...place }),
  );
  const { items, error, isLoading, refresh } = list;
  return (
    <Page
      title="Explore"
      lead="Choose a model, then its measures and fields. Answers include only the rows that you may see."
    >
      {(items?.length !== 0 || q) && (
        <SearchField label="Search models" value={q} onSearch={(text) => route(to('/explore', { q: text }), true)} />
      )}
      {!items && error !== null && <Failed problem={problemOf(error)} retry={refresh} />}
      {isLoading && error === null && <Loading rows={6} />}
      {items?.length === 0 && (
        <Empty icon="boxes" title={q ? 'No model matches' : 'There are no models yet'}>
          {q ? 'Try a part of the name.' : 'A model gives tables their meaning: what to measure, and what to group by.'}
        </Empty>
      )}
      {items && items.length > 0 && <Table label="Models" columns={COLUMNS} list={list} keyOf={({ id }) => id} />}
    </Page>
  );
}

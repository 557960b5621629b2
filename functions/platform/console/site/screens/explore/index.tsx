import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { countOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const COLUMNS: readonly Column<Types.Model>[] = [
  {
    id: 'name',
    label: 'Model',
    width: '36%',
    cell: ({ id, name, isCertified, deprecation }) => (
      <span class="named">
        <Link to={`/explore/${id}`}>{name}</Link>
        {isCertified && <Mark kind="certified" />}
        {deprecation && <Mark kind="deprecated" />}
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
  const { items } = list;
  return (
    <Page
      title="Explore"
      lead="Choose a model, then its measures and fields. Answers include only the rows that you may see."
    >
      {(items?.length !== 0 || q) && (
        <SearchField label="Search models" value={q} onSearch={(text) => route(to('/explore', { q: text }), true)} />
      )}
      <ListTable label="Models" columns={COLUMNS} list={list} bars={6} keyOf={({ id }) => id}>
        <Empty icon="boxes" title={q ? 'No model matches' : 'There are no models yet'}>
          {q ? 'Try a part of the name.' : 'A model gives tables their meaning: what to measure, and what to group by.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

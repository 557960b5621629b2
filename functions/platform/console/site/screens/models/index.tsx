import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { Published } from './published.tsx';

type Model = Types.Model;
type Sort = NonNullable<NonNullable<Parameters<typeof api.models.list>[0]>['sort']>;

/** All models of the workspace. */
export default function Models({ query: { q = '', status = '', sort = '' } }: ScreenProps) {
  const { route } = useLocation();
  const filters = {
    ...(q && { search: q }),
    ...(status && { status: status as 'draft' }),
    ...(sort && { sort: sort as Sort }),
  };
  const list = useList<Model>(['models', 'list', filters], (place) => api.models.list({ ...filters, ...place }), {
    keepsLast: true,
  });
  const { items, total } = list;
  const show = (change: Record<string, string>) => route(to('/models', { q, status, sort, ...change }), true);
  const isFiltered = Boolean(q || status);
  const isEmpty = items?.length === 0 && !isFiltered;
  const make = (
    <Link to="/models/new" class="button main">
      <Icon name="plus" size={16} />
      New model
    </Link>
  );
  return (
    <Page title="Models" lead={total !== undefined && total > 0 && counted(total, 'model')} actions={!isEmpty && make}>
      {!isEmpty && (
        <div class="filters">
          <SearchField label="Search models" value={q} onSearch={(text) => show({ q: text })} />
          <SelectField
            label="Status"
            value={status}
            onChange={({ currentTarget: { value } }) => show({ status: value })}
          >
            <option value="">all</option>
            <option value="published">published</option>
            <option value="draft">draft</option>
          </SelectField>
        </div>
      )}
      <ListTable
        label="Models"
        columns={COLUMNS}
        list={list}
        bars={8}
        keyOf={({ id }) => id}
        sort={sort || '-updatedAt'}
        onSort={(next) => show({ sort: next === '-updatedAt' ? '' : next })}
      >
        <Empty
          icon="boxes"
          title={isFiltered ? 'No model matches' : 'There are no models yet'}
          action={!isFiltered && make}
        >
          {isFiltered
            ? 'Try a part of the name, or another status.'
            : 'A model defines the fields of tables, how tables are joined, and how numbers are computed, once for everyone.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

const COLUMNS: readonly Column<Model>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name, isCertified, deprecation }) => (
      <span class="named">
        <Link to={`/models/${id}`}>{name}</Link>
        {isCertified && <Mark kind="certified" />}
        {deprecation && <Mark kind="deprecated" />}
      </span>
    ),
  },
  { id: 'tables', label: 'Tables', width: '90px', isNumber: true, cell: ({ tableCount }) => countOf(tableCount) },
  { id: 'status', label: 'Status', width: '230px', isMinor: true, cell: (model) => <Published model={model} /> },
  {
    id: 'changed',
    label: 'Changed',
    width: '130px',
    sort: 'updatedAt',
    isLargestFirst: true,
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
];

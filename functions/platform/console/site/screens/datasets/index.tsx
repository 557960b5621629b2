import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { type Dataset, useDatasetMarks } from '../../data/datasets.ts';
import { MAX_LISTED, useList } from '../../data/list.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { counted } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { columnsOf } from './list-columns.tsx';

type Sort = NonNullable<NonNullable<Parameters<typeof api.datasets.list>[0]>['sort']>;

/** All datasets of the workspace. */
export default function Datasets({ query: { q = '', sort = '-createdAt' } }: ScreenProps) {
  const { route } = useLocation();
  const list = useList<Dataset>(['datasets', q, sort], (place) =>
    api.datasets.list({ ...place, ...(q && { search: q }), ...(sort !== '-createdAt' && { sort: sort as Sort }) }),
  );
  const marks = useDatasetMarks().data;
  const show = (change: { q?: string; sort?: string }) => {
    const next = { q, sort, ...change };
    route(to('/datasets', { q: next.q, sort: next.sort === '-createdAt' ? '' : next.sort }), true);
  };
  const { total } = list;
  return (
    <Page title="Datasets" lead={total !== undefined && leadOf(total, q)}>
      <SearchField label="Search datasets" value={q} onSearch={(text) => show({ q: text })} />
      <ListTable
        label="Datasets"
        columns={columnsOf(marks)}
        list={list}
        bars={8}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => show({ sort: next })}
      >
        <Empty icon="table" title={q ? 'No dataset has this text in its name' : 'There are no datasets yet'}>
          {q
            ? 'Try a part of the name.'
            : 'Datasets are tables imported from files or databases, or made by pipelines.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

function leadOf(total: number, search: string): string {
  const found = counted(total, 'dataset');
  if (total > MAX_LISTED)
    return `${found}. The first ${MAX_LISTED.toLocaleString('en')} are listed; search to find the others.`;
  return search ? `${found} found` : found;
}

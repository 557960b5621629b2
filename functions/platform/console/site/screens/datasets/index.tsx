import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { type Dataset, useDatasetMarks } from '../../data/datasets.ts';
import { MAX_LISTED, useList } from '../../data/list.ts';
import { problemOf } from '../../data/problem.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { counted } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
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
  const { total, items, error } = list;
  return (
    <Page title="Datasets" lead={total !== undefined && leadOf(total, q)}>
      <SearchField label="Search datasets" value={q} onSearch={(text) => show({ q: text })} />
      {!items && error !== null && <Failed problem={problemOf(error)} retry={list.refresh} />}
      {list.isLoading && <Loading rows={8} />}
      {items?.length === 0 && (
        <Empty icon="table" title={q ? 'No dataset has this text in its name' : 'There are no datasets yet'}>
          {q
            ? 'Try a part of the name.'
            : 'Datasets are tables imported from files or databases, or made by pipelines.'}
        </Empty>
      )}
      {items && items.length > 0 && (
        <Table
          label="Datasets"
          columns={columnsOf(marks)}
          list={list}
          keyOf={({ id }) => id}
          sort={sort}
          onSort={(next) => show({ sort: next })}
        />
      )}
    </Page>
  );
}

function leadOf(total: number, search: string): string {
  const found = counted(total, 'dataset');
  if (total > MAX_LISTED)
    return `${found}. The first ${MAX_LISTED.toLocaleString('en')} are listed; search to find the others.`;
  return search ? `${found} found` : found;
}

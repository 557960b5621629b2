import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { placeOf, type Test, wordsOf } from '../../data/quality.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { to } from '../../ui/address.ts';
import { Link } from '../../ui/link.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Severity } from './issues.tsx';

const COLUMNS: readonly Column<Test>[] = [
  { id: 'name', label: 'Name', sort: 'name', cell: ({ id, name }) => <Link to={`/quality/tests/${id}`}>{name}</Link> },
  {
    id: 'place',
    label: 'Where',
    isMinor: true,
    width: '24%',
    cell: (test) => (
      <span class="two-lines" title={placeOf(test)}>
        {placeOf(test)}
      </span>
    ),
  },
  { id: 'type', label: 'Type', width: '160px', cell: ({ testType }) => wordsOf(testType) },
  {
    id: 'severity',
    label: 'Severity',
    isMinor: true,
    width: '96px',
    cell: ({ severity }) => <Severity name={severity} />,
  },
  {
    id: 'when',
    label: 'Runs',
    isMinor: true,
    width: '200px',
    cell: (test) => <span title={whenInWords(test)}>{whenInWords(test)}</span>,
  },
];

export function whenInWords({ isActive, scheduleEnabled, cron, timezone, runOnSync }: Test): string {
  if (!isActive) return 'not active';
  const schedule = scheduleEnabled && cron !== null ? scheduleInWords({ cron, timezone }) : '';
  return [schedule, runOnSync && 'after new data'].filter(Boolean).join(', ') || 'on request';
}

type Filters = NonNullable<Parameters<typeof api.quality.listTests>[0]>;

/** The rules, of all tables or of one. */
export function Tests({ query: { table = '', sort = '-createdAt' } }: { query: Readonly<Record<string, string>> }) {
  const { route } = useLocation();
  const filters = { ...(table && { tableName: table }), ...(sort !== '-createdAt' && { sort }) } as Filters;
  const list = useList<Test>(['quality', 'tests', filters], (place) => api.quality.listTests({ ...filters, ...place }));
  const show = (change: Record<string, string>) => {
    const next = { table, sort, ...change };
    route(to('/quality', { tab: 'tests', table: next.table, sort: next.sort === '-createdAt' ? '' : next.sort }), true);
  };
  return (
    <>
      <SearchField label="Find tests by table" value={table} onSearch={(text) => show({ table: text })} />
      <ListTable
        label="Tests"
        columns={COLUMNS}
        list={list}
        bars={6}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => show({ sort: next })}
      >
        <Empty icon="shield-check" title={table ? 'This table has no tests' : 'There are no tests yet'}>
          {table
            ? 'Enter the whole name of a dataset, or schema.table.'
            : 'A test is a rule for the rows of a table, such as that no amount is below zero. Scans suggest some.'}
        </Empty>
      </ListTable>
    </>
  );
}

import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { type Issue, kindOfIssue, placeOf, SEVERITIES, wordsOf } from '../../data/quality.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { to } from '../../ui/address.ts';
import { Count } from '../../ui/count.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const EVERY_MS = 15_000;
const ANY = 'any';
const STATUSES = ['open', 'in_progress', 'ignored', 'fixed'];

const COLUMNS: readonly Column<Issue>[] = [
  { id: 'title', label: 'Issue', cell: ({ id, title }) => <Link to={`/quality/issues/${id}`}>{title}</Link> },
  {
    id: 'place',
    label: 'Where',
    isMinor: true,
    width: '24%',
    cell: (issue) => (
      <span class="two-lines" title={placeOf(issue)}>
        {placeOf(issue)}
      </span>
    ),
  },
  { id: 'severity', label: 'Severity', width: '96px', cell: ({ severity }) => <Severity name={severity} /> },
  {
    id: 'status',
    label: 'Status',
    isMinor: true,
    width: '130px',
    cell: ({ status }) => <Status kind={kindOfIssue(status)} label={wordsOf(status)} />,
  },
  {
    id: 'times',
    label: 'Times found',
    isMinor: true,
    isNumber: true,
    width: '120px',
    cell: ({ occurrences }) => <Count of={occurrences} />,
  },
  {
    id: 'last',
    label: 'Last found',
    width: '130px',
    sort: 'lastSeenAt',
    isLargestFirst: true,
    cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
  },
];

export const Severity = ({ name }: { name: string }) => <span class={`severity ${name}`}>{name}</span>;

type Filters = NonNullable<Parameters<typeof api.quality.listIssues>[0]>;

/** What is wrong, the latest first. */
export function Issues({ query }: { query: Readonly<Record<string, string>> }) {
  const { route } = useLocation();
  const { status = 'open', severity = '', table = '', sort = '-lastSeenAt' } = query;
  const filters = {
    ...(status !== ANY && { status }),
    ...(severity && { severity }),
    ...(table && { tableName: table }),
    ...(sort !== '-lastSeenAt' && { sort }),
  } as Filters;
  const list = useList<Issue>(
    ['quality', 'issues', filters],
    (place) => api.quality.listIssues({ ...filters, ...place }),
    {
      everyMs: EVERY_MS,
    },
  );
  const show = (change: Record<string, string>) => {
    const next = { status, severity, table, sort, ...change };
    route(
      to('/quality', {
        status: next.status === 'open' ? '' : next.status,
        severity: next.severity,
        table: next.table,
        sort: next.sort === '-lastSeenAt' ? '' : next.sort,
      }),
      true,
    );
  };
  const isAll = status === 'open' && !severity && !table;
  return (
    <>
      <div class="filters">
        <SelectField label="Status" value={status} onChange={({ currentTarget: { value } }) => show({ status: value })}>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {wordsOf(each)}
            </option>
          ))}
          <option value={ANY}>all</option>
        </SelectField>
        <SelectField
          label="Severity"
          value={severity}
          onChange={({ currentTarget: { value } }) => show({ severity: value })}
        >
          <option value="">all</option>
          {SEVERITIES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
        {table && <Link to="/quality">Issues of all tables, not only of {table}</Link>}
      </div>
      <ListTable
        label="Issues"
        columns={COLUMNS}
        list={list}
        bars={6}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => show({ sort: next })}
      >
        <Empty icon="shield-check" title={isAll ? 'There are no open issues' : 'No issue matches'}>
          {isAll
            ? 'Tests that fail, and scans that find something unusual, open issues here.'
            : 'Choose other filters.'}
        </Empty>
      </ListTable>
    </>
  );
}

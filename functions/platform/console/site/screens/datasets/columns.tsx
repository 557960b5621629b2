import { api, type Types } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Count } from '../../ui/count.tsx';
import { cellText, countOf, roughly, shareOf } from '../../ui/format.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Statistics = Types.ColumnStatistics;

/** The profile of each column. */
export function Columns({ dataset: { id, version } }: { dataset: Dataset }) {
  const { data, error, refresh } = useQuery(['datasets', id, 'statistics', version], () =>
    api.datasets.getStatistics(id, { timeoutMs: 60_000 }),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={10} />;
  if (data.columns.length === 0) {
    return (
      <Empty icon="clock" title="There are no columns yet">
        They appear once the first import has finished.
      </Empty>
    );
  }
  return (
    <>
      <Table label="Columns" columns={columnsOf(data.rowCount)} rows={data.columns} keyOf={({ name }) => name} />
      {data.truncated && <p class="hint">Not all columns are shown.</p>}
    </>
  );
}

const MAX_SHOWN = 60;
const cut = (text: string) =>
  text === '' ? 'empty text' : text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
const Bound = ({ value, type }: { value: string | null; type: string }) =>
  value === null ? (
    <span class="hint">–</span>
  ) : (
    <span class="two-lines" title={value}>
      {cut(cellText(value, type))}
    </span>
  );

const columnsOf = (rowCount: number): readonly Column<Statistics>[] => [
  { id: 'name', label: 'Name', width: '16%', cell: ({ name }) => <span class="two-lines">{name}</span> },
  { id: 'type', label: 'Type', width: '140px', cell: ({ type }) => <code title={type}>{type}</code> },
  {
    id: 'nulls',
    label: 'Nulls',
    isNumber: true,
    width: '80px',
    cell: ({ nulls }) => <span title={`${countOf(nulls)} of ${countOf(rowCount)}`}>{shareOf(nulls, rowCount)}</span>,
  },
  {
    id: 'distinct',
    label: 'Distinct',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ distinct: { count, isExact } }) => (
      <>
        {isExact ? '' : '≈ '}
        <Count of={count} />
      </>
    ),
  },
  {
    id: 'min',
    label: 'Smallest',
    isMinor: true,
    width: '13%',
    cell: ({ min, type }) => <Bound value={min} type={type} />,
  },
  {
    id: 'max',
    label: 'Largest',
    isMinor: true,
    width: '13%',
    cell: ({ max, type }) => <Bound value={max} type={type} />,
  },
  {
    id: 'mean',
    label: 'Mean',
    isNumber: true,
    isMinor: true,
    width: '125px',
    cell: ({ mean }) => (mean === null ? <span class="hint">–</span> : roughly(mean)),
  },
  {
    id: 'top',
    label: 'Most frequent',
    isMinor: true,
    cell: ({ topValues, type }) => {
      const text = topValues.map(({ value, count }) => `${cut(cellText(value, type))} (${countOf(count)})`).join(', ');
      return (
        <span class="two-lines" title={text}>
          {text}
        </span>
      );
    },
  },
];

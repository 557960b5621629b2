import { api, type Types } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { countOf, roughly, shareOf } from '../../ui/format.ts';
import { type LongColumn, LongTable } from '../../ui/long-table.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';

type Column = Types.ColumnStatistics;

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
      <LongTable
        label="Columns"
        columns={columnsOf(data.rowCount)}
        count={data.columns.length}
        itemAt={(index) => data.columns[index]}
        keyOf={({ name }) => name}
      />
      {data.truncated && <p class="hint">Not all columns are shown.</p>}
    </>
  );
}

const MAX_SHOWN = 60;
const cut = (text: string) =>
  text === '' ? 'empty text' : text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
const Bound = ({ value }: { value: string | null }) =>
  value === null ? <span class="hint">–</span> : <span title={value}>{cut(value)}</span>;

const columnsOf = (rowCount: number): readonly LongColumn<Column>[] => [
  { key: 'name', title: 'Name', width: '18%', cell: ({ name }) => <span title={name}>{name}</span> },
  { key: 'type', title: 'Type', width: '120px', cell: ({ type }) => <code title={type}>{type}</code> },
  {
    key: 'nulls',
    title: 'Nulls',
    isNumber: true,
    width: '80px',
    cell: ({ nulls }) => <span title={`${countOf(nulls)} of ${countOf(rowCount)}`}>{shareOf(nulls, rowCount)}</span>,
  },
  {
    key: 'distinct',
    title: 'Distinct',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ distinct: { count, isExact } }) => `${isExact ? '' : '≈ '}${countOf(count)}`,
  },
  { key: 'min', title: 'Smallest', isMinor: true, width: '14%', cell: ({ min }) => <Bound value={min} /> },
  { key: 'max', title: 'Largest', isMinor: true, width: '14%', cell: ({ max }) => <Bound value={max} /> },
  {
    key: 'mean',
    title: 'Mean',
    isNumber: true,
    isMinor: true,
    width: '110px',
    cell: ({ mean }) => (mean === null ? <span class="hint">–</span> : roughly(mean)),
  },
  {
    key: 'top',
    title: 'Most frequent',
    isMinor: true,
    cell: ({ topValues }) => {
      const text = topValues.map(({ value, count }) => `${cut(value)} (${countOf(count)})`).join(', ');
      return <span title={text}>{text}</span>;
    },
  },
];

import { type Alert, EDGES, kindOfState } from '../../data/alerts.ts';
import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { ShortAmount } from '../../ui/short-amount.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { ValueLine } from './value-line.tsx';

type Evaluation = Types.AlertHistory['items'][number];

interface Row {
  key: string;
  at: string;
  isHidden: boolean;
  entry: Evaluation['entries'][number];
}

const EVERY_MS = 15_000;
const MAX = 200;

const REASONS: Readonly<Record<string, string>> = {
  NO_ROWS: 'no rows',
  NO_VALUE: 'no value',
  NO_BASE: 'nothing to compare with',
  TOO_FEW_POINTS: 'too few earlier values',
  NO_TARGET: 'the metric has no target',
};

const COLUMNS: readonly Column<Row>[] = [
  { id: 'at', label: 'Evaluated', width: 'min(140px, 30vw)', cell: ({ at }) => <Ago at={at} /> },
  {
    id: 'state',
    label: 'State',
    width: 'min(150px, 30vw)',
    cell: ({ entry: { state } }) => <Status kind={kindOfState(state)} label={state} />,
  },
  {
    id: 'what',
    label: 'What happened',
    cell: ({ entry: { edges, error, reason } }) => {
      const text = [
        ...edges.map((edge) => EDGES[edge] ?? edge),
        error && `${error.message} (${error.code})`,
        reason && (REASONS[reason] ?? reason),
      ]
        .filter(Boolean)
        .join('; ');
      return <span title={text}>{text}</span>;
    },
  },
  { id: 'group', label: 'Group', isMinor: true, width: '22%', cell: ({ entry: { group } }) => group },
  {
    id: 'value',
    label: 'Value',
    isNumber: true,
    isMinor: true,
    width: '110px',
    cell: ({ isHidden, entry: { value } }) => (isHidden ? 'hidden' : value === null ? '–' : <ShortAmount of={value} />),
  },
];

/** What changed in the last 90 days, newest first. */
export function History({ alert: { id, condition } }: { alert: Alert }) {
  const { data, error, refresh } = useQuery(
    ['alerts', id, 'history'],
    async () => (await api.alerts.listHistory(id, { limit: MAX })).items,
    { everyMs: EVERY_MS },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  if (data.length === 0) {
    return (
      <Empty icon="clock" title="Nothing has happened yet">
        Evaluations that change something, or fail, are kept for 90 days.
      </Empty>
    );
  }
  const rows = data.flatMap(({ at, isHidden, entries }) =>
    entries.map((entry): Row => ({ key: `${at} ${entry.group}`, at, isHidden, entry })),
  );
  const points = rows.flatMap(({ at, isHidden, entry }) => (isHidden ? [] : [{ ...entry, at }])).reverse();
  return (
    <>
      {points.length > 1 && <ValueLine points={points} condition={condition} />}
      <Table label="History" columns={COLUMNS} rows={rows} keyOf={({ key }) => key} />
    </>
  );
}

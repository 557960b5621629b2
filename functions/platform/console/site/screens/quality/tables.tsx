import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { nameOfTable } from '../../data/quality.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { Count } from '../../ui/count.tsx';
import { scoreOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

type Score = Types.DataQualityTableScore;

const COLUMNS: readonly Column<Score>[] = [
  {
    id: 'table',
    label: 'Table',
    cell: (score) => (
      <Link to="/quality" query={{ tab: 'tests', table: nameOfTable(score) }}>
        {nameOfTable(score)}
      </Link>
    ),
  },
  {
    id: 'score',
    label: 'Score',
    isNumber: true,
    width: '100px',
    cell: ({ score }) => (score === null ? <span class="hint">none</span> : scoreOf(score)),
  },
  {
    id: 'tests',
    label: 'Tests',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ tests }) => <Count of={tests} />,
  },
  {
    id: 'failing',
    label: 'Failing',
    isNumber: true,
    width: '90px',
    cell: ({ failing }) =>
      failing === 0 ? (
        '0'
      ) : (
        <strong class="late">
          <Count of={failing} />
        </strong>
      ),
  },
  {
    id: 'dependents',
    label: 'Used by',
    isNumber: true,
    isMinor: true,
    width: '100px',
    cell: ({ dependents }) => <Count of={dependents} />,
  },
  {
    id: 'last',
    label: 'Last run',
    isMinor: true,
    width: '140px',
    cell: ({ lastRunAt }) => (lastRunAt === null ? '–' : <Ago at={lastRunAt} />),
  },
];

/** The score of each table with tests, the worst first. */
export function Tables() {
  const list = useList<Score>(['quality', 'tables'], (place) =>
    api.quality.listTableScores({ ...place, sort: 'score' }),
  );
  return (
    <ListTable
      label="Tables"
      columns={COLUMNS}
      list={list}
      bars={6}
      keyOf={(score) => `${score.sourceId} ${nameOfTable(score)}`}
    >
      <Empty icon="table" title="No table has a test yet">
        A table has a score once a test has run on it.
      </Empty>
    </ListTable>
  );
}

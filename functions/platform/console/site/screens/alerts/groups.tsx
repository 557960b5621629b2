import { type Alert, kindOfState } from '../../data/alerts.ts';
import { ShortAmount } from '../../ui/short-amount.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

type Group = NonNullable<Alert['groups']>[number];

const COLUMNS: readonly Column<Group>[] = [
  {
    id: 'group',
    label: 'Group',
    cell: ({ group }) => <span title={group}>{group === '' ? 'empty text' : group}</span>,
  },
  {
    id: 'state',
    label: 'State',
    width: '150px',
    cell: ({ state }) => <Status kind={kindOfState(state)} label={state} />,
  },
  {
    id: 'value',
    label: 'Value',
    isNumber: true,
    width: '120px',
    cell: ({ lastValue }) => (lastValue === null ? '–' : <ShortAmount of={lastValue} />),
  },
  {
    id: 'fired',
    label: 'Fired',
    isMinor: true,
    width: '140px',
    cell: ({ firedAt }) => (firedAt === null ? '–' : <Ago at={firedAt} />),
  },
  {
    id: 'error',
    label: 'Error',
    isMinor: true,
    width: '30%',
    cell: ({ error }) => error && <span title={error.message}>{error.message}</span>,
  },
];

/** The state of each group. */
export const Groups = ({ alert: { groups = [] } }: { alert: Alert }) =>
  groups.length === 0 ? (
    <Empty icon="siren" title="There are no groups yet">
      They appear with the first evaluation.
    </Empty>
  ) : (
    <Table label="Groups" columns={COLUMNS} rows={groups} keyOf={({ group }) => group} />
  );

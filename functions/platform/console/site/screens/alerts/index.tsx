import { type Alert, conditionInWords, KIND_WORDS, stateOf, useSubject } from '../../data/alerts.ts';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { ShortAmount } from '../../ui/short-amount.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const EVERY_MS = 15_000;

const COLUMNS: readonly Column<Alert>[] = [
  { id: 'name', label: 'Name', cell: ({ id, name }) => <Link to={`/alerts/${id}`}>{name}</Link> },
  {
    id: 'state',
    label: 'State',
    width: '130px',
    cell: (alert) => <Status {...stateOf(alert)} />,
  },
  {
    id: 'value',
    label: 'Value',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ lastValue, isHidden }) => (lastValue == null || isHidden ? '–' : <ShortAmount of={lastValue} />),
  },
  { id: 'condition', label: 'Fires if', isMinor: true, width: '24%', cell: (alert) => <Sentence alert={alert} /> },
  {
    id: 'when',
    label: 'Schedule',
    isMinor: true,
    width: '170px',
    cell: (alert) => <span title={whenInWords(alert)}>{whenInWords(alert)}</span>,
  },
  {
    id: 'at',
    label: 'Last evaluated',
    isMinor: true,
    width: '140px',
    cell: ({ evaluatedAt }) => (evaluatedAt === null ? '–' : <Ago at={evaluatedAt} />),
  },
];

const whenInWords = ({ scheduleCron, timezone, onRefresh }: Alert): string =>
  [scheduleCron && scheduleInWords({ cron: scheduleCron, timezone }), onRefresh && 'after new data']
    .filter(Boolean)
    .join(', ') || 'on request';

function Sentence({ alert: { condition } }: { alert: Alert }) {
  const name = useSubject(condition);
  const text = conditionInWords(condition, (kind) => name ?? KIND_WORDS[kind] ?? kind);
  return <span title={text}>{text}</span>;
}

/** The alerts that the person may edit, is notified by, or follows. */
export default function Alerts() {
  const list = useList<Alert>(['alerts'], (place) => api.alerts.list(place), { everyMs: EVERY_MS });
  const { items, total } = list;
  const create = (
    <Link to="/alerts/new" class="button main">
      <Icon name="plus" size={16} />
      New alert
    </Link>
  );
  return (
    <Page
      title="Alerts"
      actions={items && items.length > 0 && create}
      lead={total ? counted(total, 'alert') : undefined}
    >
      <ListTable label="Alerts" columns={COLUMNS} list={list} bars={6} keyOf={({ id }) => id}>
        <Empty icon="siren" title="There are no alerts yet" action={create}>
          An alert watches a number, and notifies people when it crosses a threshold.
        </Empty>
      </ListTable>
    </Page>
  );
}

import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { type Deliveries, type Delivery, reasonText } from '../../data/deliveries.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status, type StatusKind } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { DeleteDialog } from '../delete-record.tsx';
import { DeliveryForm } from './delivery-form.tsx';
import { DeliveryRuns } from './delivery-runs.tsx';

export interface DeliveriesProps {
  deliveries: Deliveries;
  /** Of a dashboard. */
  pages?: readonly { id: string; name: string }[];
}

const EVERY_MS = 5_000;

const STATES: Readonly<Record<string, [StatusKind, string]>> = {
  active: ['running', 'active'],
  paused: ['waiting', 'paused'],
  stopped: ['failed', 'stopped'],
};

/** What is sent on a schedule, to whom, and what has become of it. */
export function DeliveryList({ deliveries, pages = [] }: DeliveriesProps) {
  const { data, error, refresh } = useQuery(deliveries.key, () => deliveries.list(), { everyMs: EVERY_MS });
  const [edited, edit] = useState<Delivery | 'new' | undefined>(undefined);
  const [shown, show] = useState<string | undefined>(undefined);
  const [removed, remove] = useState<Delivery | undefined>(undefined);
  const change = useAction(
    async (_of: string, work: () => PromiseLike<unknown>) => {
      await work();
      await refreshQueries(deliveries.key);
    },
    { isShared: true },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />;
  const now = data.find(({ id }) => id === shown);
  const send = async (delivery: Delivery) => {
    if (!(await change.run(`send ${delivery.id}`, () => deliveries.send(delivery.id)))) return;
    show(delivery.id);
    toast(`${delivery.name} is on its way.`);
  };
  return (
    <div class="deliveries">
      {edited === undefined && (
        <div class="actions">
          <Button look={data.length === 0 ? 'main' : undefined} icon="plus" onClick={() => edit('new')}>
            New subscription
          </Button>
        </div>
      )}
      <Issue problem={change.problem} />
      {edited !== undefined && (
        <DeliveryForm
          key={edited === 'new' ? 'new' : edited.id}
          deliveries={deliveries}
          delivery={edited === 'new' ? undefined : edited}
          pages={pages}
          close={() => edit(undefined)}
        />
      )}
      {data.length === 0 && edited === undefined && (
        <Empty icon="clock" title="There are no subscriptions yet">
          A subscription sends an email with the numbers, and a file if you like: every Monday, or only if they change.
        </Empty>
      )}
      {data.length > 0 && (
        <Table
          label="Subscriptions"
          columns={columnsOf({
            edit,
            show,
            remove,
            send: (delivery) => void send(delivery),
            set: (delivery, isActive) =>
              void change.run(`${isActive} ${delivery.id}`, () =>
                deliveries.update(delivery.id, { isActive }, delivery.revision),
              ),
          })}
          rows={data}
          keyOf={({ id }) => id}
        />
      )}
      {now && <DeliveryRuns deliveries={deliveries} delivery={now} close={() => show(undefined)} />}
      {removed && (
        <DeleteDialog
          what={`“${removed.name}”`}
          remove={async () => {
            await deliveries.remove(removed.id, removed.revision);
            await refreshQueries(deliveries.key);
          }}
          close={() => remove(undefined)}
        >
          It is no longer sent, and its runs are deleted. This cannot be undone.
        </DeleteDialog>
      )}
    </div>
  );
}

interface Doing {
  edit: (delivery: Delivery) => void;
  show: (id: string) => void;
  remove: (delivery: Delivery) => void;
  send: (delivery: Delivery) => void;
  set: (delivery: Delivery, isActive: boolean) => void;
}

const columnsOf = ({ edit, show, remove, send, set }: Doing): readonly Column<Delivery>[] => [
  {
    id: 'name',
    label: 'Name',
    cell: (delivery) => (
      <button type="button" class="as-link" onClick={() => edit(delivery)}>
        {delivery.name}
      </button>
    ),
  },
  {
    id: 'when',
    label: 'When',
    isMinor: true,
    width: '190px',
    cell: ({ cron, timezone }) => scheduleInWords({ cron, timezone }),
  },
  {
    id: 'to',
    label: 'To',
    isMinor: true,
    width: '170px',
    cell: ({ recipients, targets }) => (
      <span title={[...recipients, ...targets.map(({ name }) => name)].join(', ')}>
        {[
          ...(recipients.length > 0 ? [counted(recipients.length, 'person', 'people')] : []),
          ...(targets.length > 0 ? [counted(targets.length, 'channel')] : []),
        ].join(', ')}
      </span>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: 'min(160px, 30vw)',
    cell: ({ status, stopReason }) => {
      const [kind, label] = STATES[status] ?? ['skipped', status];
      return (
        <>
          <Status kind={kind} label={label} />
          {stopReason && <span class="hint"> {reasonText(stopReason)}</span>}
        </>
      );
    },
  },
  {
    id: 'last',
    label: 'Last run',
    width: '190px',
    isMinor: true,
    cell: ({ id, name, lastRun }) =>
      lastRun ? (
        <button type="button" class="as-link" title={`Runs of ${name}`} onClick={() => show(id)}>
          {lastRun.status} <Ago at={lastRun.startedAt} />
        </button>
      ) : (
        <span class="hint">not yet</span>
      ),
  },
  {
    id: 'more',
    label: 'Actions',
    width: '96px',
    cell: (delivery) => (
      <Menu
        label={`Actions of ${delivery.name}`}
        isRight
        class="icon-only"
        choices={[
          [
            { label: 'Send now', icon: 'play', run: () => send(delivery) },
            delivery.isActive
              ? { label: 'Pause', icon: 'pause', run: () => set(delivery, false) }
              : { label: 'Continue', icon: 'play', run: () => set(delivery, true) },
            { label: 'Edit', icon: 'pencil', run: () => edit(delivery) },
            { label: 'Runs', icon: 'list', run: () => show(delivery.id) },
          ],
          [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => remove(delivery) }],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
    ),
  },
];

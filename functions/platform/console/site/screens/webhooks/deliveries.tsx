import { useLocation } from 'preact-iso/router';
import { MAX_LISTED } from '../../data/list.ts';
import { type Delivery, kindOfDelivery, useDeliveries, type Webhook } from '../../data/webhooks.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const STATUSES: readonly Delivery['status'][] = ['failed', 'retrying', 'delivered', 'pending', 'delivering'];

interface DeliveriesProps {
  webhook: Webhook;
  status: string;
  event: string;
}

/** What was sent to the webhook, newest first. */
export function Deliveries({ webhook: { id, events }, status, event }: DeliveriesProps) {
  const { route } = useLocation();
  const list = useDeliveries(id, { ...(status && { status }), ...(event && { event }) });
  const { total } = list;
  const show = (change: Record<string, string>) =>
    route(to(`/webhooks/${id}`, { ...(status && { status }), ...(event && { event }), ...change }), true);
  const names = [...new Set([event, ...events.filter((name) => name !== '*'), 'webhook.test'])].filter(Boolean);
  return (
    <>
      <div class="filters">
        <SelectField label="Status" value={status} onChange={({ currentTarget: { value } }) => show({ status: value })}>
          <option value="">all</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
        <SelectField label="Event" value={event} onChange={({ currentTarget: { value } }) => show({ event: value })}>
          <option value="">all</option>
          {names.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
      </div>
      <ListTable label="Deliveries" columns={columnsOf(id)} list={list} bars={8} keyOf={(delivery) => delivery.id}>
        <Empty icon="webhook" title={status || event ? 'No delivery matches' : 'Nothing was sent yet'}>
          {status || event
            ? 'Choose another status or another event.'
            : 'Deliveries are kept for 30 days. Send a test to see whether your receiver works.'}
        </Empty>
      </ListTable>
      {total !== undefined && total > 0 && <p class="hint">{lengthOf(total)}</p>}
    </>
  );
}

const lengthOf = (total: number): string =>
  total > MAX_LISTED
    ? `${countOf(total)} deliveries; the newest ${countOf(MAX_LISTED)} are listed.`
    : counted(total, 'delivery', 'deliveries');

const columnsOf = (webhookId: string): readonly Column<Delivery>[] => [
  {
    id: 'event',
    label: 'Event',
    cell: ({ id, event }) => <Link to={`/webhooks/${webhookId}/${id}`}>{event}</Link>,
  },
  {
    id: 'status',
    label: 'Status',
    width: '130px',
    cell: (delivery) => <Status kind={kindOfDelivery(delivery)} label={delivery.status} />,
  },
  {
    id: 'attempts',
    label: 'Attempts',
    isMinor: true,
    isNumber: true,
    width: '110px',
    cell: ({ attempts, maxAttempts }) => `${attempts} of ${maxAttempts}`,
  },
  {
    id: 'reply',
    label: 'Last reply',
    isMinor: true,
    width: '30%',
    cell: ({ responseStatus, lastError }) => {
      const text = lastError ?? (responseStatus === null ? '–' : String(responseStatus));
      return <span title={text}>{text}</span>;
    },
  },
  { id: 'at', label: 'Created', width: '130px', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

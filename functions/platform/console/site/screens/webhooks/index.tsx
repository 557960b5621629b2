import { problemOf } from '../../data/problem.ts';
import { healthOf, useWebhooks, type Webhook } from '../../data/webhooks.ts';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    id: 'name',
    label: 'Name',
    cell: ({ id, name }) => <Link to={`/webhooks/${id}`}>{name}</Link>,
  },
  {
    id: 'health',
    label: 'Health',
    width: '170px',
    cell: (webhook) => {
      const { kind, label, detail } = healthOf(webhook);
      return (
        <span title={detail}>
          <Status kind={kind} label={label} />
        </span>
      );
    },
  },
  {
    id: 'url',
    label: 'Receiver',
    isMinor: true,
    width: '22%',
    cell: ({ url }) => <span title={url}>{URL.parse(url)?.host ?? url}</span>,
  },
  {
    id: 'events',
    label: 'Events',
    isMinor: true,
    width: '130px',
    cell: ({ events }) => <span title={events.join(', ')}>{eventsInWords(events)}</span>,
  },
  {
    id: 'last',
    label: 'Last attempt',
    isMinor: true,
    width: '140px',
    cell: ({ lastDeliveryAt }) => (lastDeliveryAt === null ? <span class="hint">–</span> : <Ago at={lastDeliveryAt} />),
  },
];

const eventsInWords = (events: readonly string[]): string =>
  events.includes('*') ? 'all' : events.length === 0 ? 'none' : counted(events.length, 'event');

/** The webhooks of the workspace, those that need attention first. */
export default function Webhooks() {
  const { data, error, refresh } = useWebhooks();
  const create = (
    <Link to="/webhooks/new" class="button main">
      <Icon name="plus" size={16} />
      New webhook
    </Link>
  );
  return (
    <Page title="Webhooks" actions={data && data.length > 0 && create} lead={data && counted(data.length, 'webhook')}>
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />)}
      {data?.length === 0 && (
        <Empty icon="webhook" title="There are no webhooks yet" action={create}>
          A webhook sends a request to your server for each event, such as a failed run.
        </Empty>
      )}
      {data && data.length > 0 && <Table label="Webhooks" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />}
    </Page>
  );
}

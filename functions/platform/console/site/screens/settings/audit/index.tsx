import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { saveLink } from '../../../data/files.ts';
import { useList } from '../../../data/list.ts';
import { ListTable } from '../../../shell/list-table.tsx';
import { ObjectLink } from '../../../shell/object-link.tsx';
import { to } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { momentText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { Empty, Issue } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { clientOf } from '../account/client-of.ts';
import type { PartProps } from '../part-props.ts';
import { actionInWords } from './action-in-words.ts';

type Filter = NonNullable<Parameters<typeof api.auditLog.list>[0]>;

/** Who has changed what, and when. */
export default function Audit({ query: { from = '', to: until = '', action = '', actor = '' } }: PartProps) {
  const { route } = useLocation();
  const [shown, setShown] = useState<Types.AuditEntry>();
  const filter: Filter = {
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(until && { to: `${until}T23:59:59.999Z` }),
    ...(action && { action: action as NonNullable<Filter['action']> }),
    ...(actor && { actorId: actor }),
  };
  const list = useList<Types.AuditEntry>(
    ['audit', from, until, action, actor],
    ({ limit, cursor }) => api.auditLog.list({ ...filter, limit, ...(cursor !== undefined && { cursor }) }),
    { keepsLast: true },
  );
  const download = useAction(async () => {
    saveLink((await api.auditLog.export(filter)).downloadUrl);
  });
  const show = (change: Record<string, string>) =>
    route(to('/settings/audit', { from, to: until, action, actor, ...change }), true);
  const columns: Column<Types.AuditEntry>[] = [
    {
      id: 'at',
      label: 'Time',
      width: '196px',
      cell: (entry) => (
        <button type="button" class="link" onClick={() => setShown(entry)}>
          {momentText(entry.at)}
        </button>
      ),
    },
    {
      id: 'actor',
      label: 'Who',
      isMinor: true,
      cell: ({ actor: { type, name, email } }) => <span title={email ?? undefined}>{name ?? email ?? type}</span>,
    },
    { id: 'action', label: 'What', cell: ({ action: done }) => actionInWords(done) },
    {
      id: 'object',
      label: 'Object',
      cell: ({ object: { type, id, name } }) => <ObjectLink type={type} id={id} name={name ?? type} />,
    },
  ];
  const isFiltered = Boolean(from || until || action || actor);
  return (
    <Section
      title="Audit log"
      actions={
        <Button icon="download" isSmall isBusy={download.isRunning} onClick={() => void download.run()}>
          Download
        </Button>
      }
    >
      <div class="tools">
        <Field
          label="From"
          type="date"
          value={from}
          onChange={({ currentTarget }) => show({ from: currentTarget.value })}
        />
        <Field
          label="To"
          type="date"
          value={until}
          onChange={({ currentTarget }) => show({ to: currentTarget.value })}
        />
        {(action || actor) && (
          <Button isSmall icon="x" onClick={() => show({ action: '', actor: '' })}>
            {action ? actionInWords(action) : 'one person'}
          </Button>
        )}
      </div>
      <Issue problem={download.problem} />
      <ListTable label="Audit log" columns={columns} list={list} bars={6} keyOf={({ id }) => id}>
        <Empty icon="list" title={isFiltered ? 'Nothing matches' : 'Nothing has been recorded yet'} />
      </ListTable>
      {shown && (
        <Entry
          entry={shown}
          close={() => setShown(undefined)}
          narrow={(change) => {
            setShown(undefined);
            show(change);
          }}
        />
      )}
    </Section>
  );
}

interface EntryProps {
  entry: Types.AuditEntry;
  close(): void;
  /** Shows only what has this in common with the entry. */
  narrow(change: Record<string, string>): void;
}

const Entry = ({ entry, close, narrow }: EntryProps) => (
  <Dialog title={actionInWords(entry.action)} close={close}>
    <dl class="rights">
      <dt>Time</dt>
      <dd>{momentText(entry.at)}</dd>
      <dt>Who</dt>
      <dd>
        {entry.actor.name ?? entry.actor.type}
        {entry.actor.email !== null && ` (${entry.actor.email})`}
      </dd>
      <dt>From</dt>
      <dd title={entry.userAgent ?? undefined}>
        {entry.address ?? 'inside the platform'}
        {entry.userAgent !== null && ` · ${clientOf(entry.userAgent)}`}
      </dd>
      <dt>Request</dt>
      <dd>
        <code>{entry.requestId}</code>
      </dd>
    </dl>
    {(entry.before || entry.after) && (
      <table class="table changes">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {[...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])].map((member) => (
            <tr key={member}>
              <th scope="row">{member}</th>
              <td>{written(entry.before?.[member])}</td>
              <td>{written(entry.after?.[member])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    <div class="actions">
      {entry.actor.id !== null && (
        <Button isSmall onClick={() => narrow({ actor: entry.actor.id! })}>
          Everything by {entry.actor.name ?? 'this actor'}
        </Button>
      )}
      <Button isSmall onClick={() => narrow({ action: entry.action })}>
        All of this kind
      </Button>
    </div>
  </Dialog>
);

const written = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

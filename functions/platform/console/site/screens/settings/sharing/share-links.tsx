import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { refreshQueries } from '../../../data/query.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { ListTable } from '../../../shell/list-table.tsx';
import { ObjectLink } from '../../../shell/object-link.tsx';
import { typeOf } from '../../../shell/types.ts';
import { to } from '../../../ui/address.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Count } from '../../../ui/count.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { dayText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';

const KINDS: Readonly<Record<string, string>> = {
  public: 'anyone with the link',
  password: 'with a password',
  rls: 'limited rows',
};

/** The links to dashboards, reports and stories, with how often each was opened. */
export function ShareLinks({ status }: { status: string }) {
  const { route } = useLocation();
  const [removing, setRemoving] = useState<Types.Share>();
  const list = useList<Types.Share>(
    ['shares', status],
    (place) => api.shares.list({ ...place, ...(status && { status: status as 'active' }) }),
    { keepsLast: true },
  );
  const columns: Column<Types.Share>[] = [
    {
      id: 'content',
      label: 'Opens',
      cell: ({ contentType, contentId }) => (
        <ObjectLink type={contentType} id={contentId} name={typeOf(contentType).label} />
      ),
    },
    {
      id: 'token',
      label: 'Begins with',
      isMinor: true,
      width: '120px',
      cell: ({ tokenPrefix }) => <code>{tokenPrefix}</code>,
    },
    { id: 'kind', label: 'For', cell: ({ shareType }) => KINDS[shareType] ?? shareType },
    { id: 'views', label: 'Opened', isNumber: true, width: '90px', cell: ({ viewCount }) => <Count of={viewCount} /> },
    {
      id: 'last',
      label: 'Last opened',
      isMinor: true,
      width: '132px',
      cell: ({ lastAccessedAt }) =>
        lastAccessedAt === null ? <span class="hint">never</span> : <Ago at={lastAccessedAt} />,
    },
    {
      id: 'until',
      label: 'Until',
      isMinor: true,
      width: '126px',
      cell: ({ expiresAt, status: now }) =>
        now === 'expired' ? 'expired' : expiresAt === null ? 'no end' : dayText(expiresAt),
    },
    {
      id: 'actions',
      label: 'Actions',
      width: '96px',
      cell: (share) => (
        <IconButton icon="trash-2" label={`Delete the link ${share.tokenPrefix}`} onClick={() => setRemoving(share)} />
      ),
    },
  ];
  return (
    <Section title="Share links">
      <div class="tools">
        <SelectField
          label="State"
          value={status}
          onChange={({ currentTarget }) => route(to('/settings/sharing', { status: currentTarget.value }), true)}
        >
          <option value="">all</option>
          <option value="active">active</option>
          <option value="expired">expired</option>
        </SelectField>
      </div>
      <ListTable label="Share links" columns={columns} list={list} bars={3} keyOf={({ id }) => id}>
        <Empty icon="share-2" title="There is no link">
          Create links with “Share” on a dashboard, report or story.
        </Empty>
      </ListTable>
      {removing && (
        <DeleteDialog
          what={`the link “${removing.tokenPrefix}…”`}
          remove={async () => {
            await api.shares.delete(removing.id, { ifMatch: removing.revision });
            await refreshQueries(['shares']);
          }}
          close={() => setRemoving(undefined)}
        >
          The link stops working, and its counts are deleted.
        </DeleteDialog>
      )}
    </Section>
  );
}

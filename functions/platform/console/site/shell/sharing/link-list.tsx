import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { attributesText, type SharedObject } from '../../data/sharing.ts';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { dayText } from '../../ui/moment.ts';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const TYPES: Readonly<Record<string, string>> = { public: 'anyone', password: 'with a password', rls: 'own rows' };

/** The links of an object, with how often they were opened. */
export function LinkList({ shared: { type, id } }: { shared: SharedObject }) {
  const list = useList<Types.Share>(['shares', id], (place) =>
    api.shares.list({ contentType: type, contentId: id, ...place }),
  );
  const remove = useAction(async ({ id: shareId, revision }: Types.Share) => {
    await api.shares.delete(shareId, { ifMatch: revision });
    await refreshQueries(['shares', id]);
  });
  const { items, error } = list;
  if (!items) return error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={3} />;
  if (items.length === 0) return <p class="hint">There are no links yet.</p>;
  return (
    <>
      <Issue problem={remove.problem} />
      <Table
        label="Links"
        columns={columnsOf((share) => void remove.run(share))}
        list={list}
        keyOf={(share) => share.id}
      />
    </>
  );
}

const columnsOf = (remove: (share: Types.Share) => void): readonly Column<Types.Share>[] => [
  {
    id: 'link',
    label: 'Link',
    width: '120px',
    cell: ({ tokenPrefix }) => <code>{tokenPrefix}…</code>,
  },
  {
    id: 'for',
    label: 'For',
    cell: ({ shareType, rlsContext }) => (
      <>
        {TYPES[shareType] ?? shareType}{' '}
        {rlsContext && <span class="hint">{attributesText(rlsContext.attributes)}</span>}
      </>
    ),
  },
  {
    id: 'views',
    label: 'Opened',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ viewCount }) => <Count of={viewCount} />,
  },
  {
    id: 'last',
    label: 'Last opened',
    isMinor: true,
    width: '120px',
    cell: ({ lastAccessedAt }) => (lastAccessedAt ? <Ago at={lastAccessedAt} /> : <span class="hint">never</span>),
  },
  {
    id: 'ends',
    label: 'Expires',
    isMinor: true,
    width: '150px',
    cell: ({ status, expiresAt }) =>
      status === 'expired' ? (
        <Status kind="cancelled" label="expired" />
      ) : expiresAt ? (
        dayText(expiresAt)
      ) : (
        <span class="hint">never</span>
      ),
  },
  {
    id: 'delete',
    label: 'Delete',
    width: '110px',
    cell: (share) => (
      <Button isSmall aria-label={`Delete the link ${share.tokenPrefix}`} onClick={() => remove(share)}>
        Delete
      </Button>
    ),
  },
];

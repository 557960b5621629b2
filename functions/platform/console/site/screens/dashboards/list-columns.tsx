import type { Types } from '../../data/client.ts';
import { to } from '../../ui/address.ts';
import { copy } from '../../ui/copy-button.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { Certified } from './certified-mark.tsx';
import type { Opened } from './record-dialogs.tsx';
import { Stage } from './stage.tsx';

type Row = Types.DashboardSummary;

interface Beside {
  certified: ReadonlySet<string>;
  /** Of owners, by their ids. */
  names: ReadonlyMap<string, string> | undefined;
  open: (opened: Opened) => void;
}

/** The columns of the list. Marks and names are read beside it. */
export const columnsOf = ({ certified, names, open }: Beside): readonly Column<Row>[] => [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name, description }) => (
      <span class="named" title={description || name}>
        <Link to={`/dashboards/${id}`}>{name}</Link>
        {certified.has(id) && <Certified />}
      </span>
    ),
  },
  { id: 'stage', label: 'Status', width: 'min(150px, 30vw)', cell: (row) => <Stage dashboard={row} /> },
  {
    id: 'owner',
    label: 'Owner',
    isMinor: true,
    width: '170px',
    cell: ({ ownerId }) => names?.get(ownerId) ?? <span class="hint">–</span>,
  },
  {
    id: 'cards',
    label: 'Cards',
    isMinor: true,
    isNumber: true,
    width: '80px',
    cell: ({ counts: { cards, pages } }) => (
      <span title={`${counted(cards, 'card')} on ${counted(Math.max(1, pages), 'page')}`}>{cards}</span>
    ),
  },
  {
    id: 'changed',
    label: 'Changed',
    sort: 'updatedAt',
    isLargestFirst: true,
    isMinor: true,
    width: '130px',
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
  {
    id: 'more',
    label: 'Actions',
    width: 'min(100px, 21vw)',
    cell: (row) => <RowMenu row={row} open={open} />,
  },
];

function RowMenu({ row, open }: { row: Row; open: Beside['open'] }) {
  const { id, name, viewerMeta } = row;
  const dialog = (kind: Opened['kind']) => () => open({ kind, dashboard: row });
  const isEditor = viewerMeta?.permission === 'editor';
  const edits: MenuChoice[] = isEditor
    ? [
        { label: 'Edit', icon: 'pencil', href: to(`/dashboards/${id}/edit`) },
        { label: 'Rename', icon: 'pencil', run: dialog('rename') },
      ]
    : [];
  const isWriter = isEditor && viewerMeta?.via !== 'grant' && viewerMeta?.via !== 'group';
  return (
    <Menu
      label={`Actions of ${name}`}
      isRight
      class="icon-only"
      choices={[
        [
          ...edits,
          ...(isWriter ? [{ label: 'Duplicate', icon: 'copy' as const, run: dialog('duplicate') }] : []),
          {
            label: 'Copy link',
            icon: 'link',
            run: () => void copy(`${location.origin}${to(`/dashboards/${id}`)}`, 'The link is copied.'),
          },
        ],
        isWriter ? [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: dialog('delete') }] : [],
      ]}
    >
      <Icon name="ellipsis" />
    </Menu>
  );
}

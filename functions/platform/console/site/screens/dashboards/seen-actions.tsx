import { useState } from 'preact/hooks';
import type { ShownBoard } from '../../../../../boards/browser/board.ts';
import { useAction } from '../../data/action.ts';
import type { Dashboard } from '../../data/boards.ts';
import type { Types } from '../../data/client.ts';
import { FILES, type Format } from '../../data/exports.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { copy } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { toast } from '../../ui/toast.tsx';
import { bookmarkAddress, ManageBookmarks, SaveBookmark } from './bookmarks.tsx';
import { DIALOGS } from './record-dialogs.tsx';

interface SeenActionsProps {
  dashboard: Dashboard;
  pageId: string | undefined;
  rights: Types.DashboardViewerMeta | undefined;
  bookmarks: readonly Types.DashboardBookmark[];
  shown: () => ShownBoard | undefined;
  write: (format: Format, more: object) => void;
}

const LAYERS = { ...DIALOGS, save: SaveBookmark, manage: ManageBookmarks } as const;

/** What a person can do with a dashboard as they see it. */
export function SeenActions({ dashboard, pageId, rights, bookmarks, shown, write }: SeenActionsProps) {
  const { id } = dashboard;
  const [layer, open] = useState<keyof typeof LAYERS | undefined>(undefined);
  const refresh = useAction(async () => {
    await shown()?.refresh();
    toast('The cards are refreshed.');
  });
  const isEditor = rights?.permission === 'editor';
  const isWriter = hasRole(useMe().data, 'editor');
  const edit = `/dashboards/${id}/edit`;
  useShortcut('e', 'Edit', () => document.querySelector<HTMLAnchorElement>('a.edit')?.click(), isEditor);
  const marks: MenuChoice[] = bookmarks.map((bookmark) => ({
    label: bookmark.name,
    icon: 'star',
    href: bookmarkAddress(bookmark),
    hint: [bookmark.isDefault && 'opens first', !bookmark.isPersonal && 'for everyone'].filter(Boolean).join(', '),
  }));
  const page = pageId === undefined ? {} : { pageId };
  const Layer = layer && LAYERS[layer];
  return (
    <>
      <Button icon="refresh-cw" isBusy={refresh.isRunning} onClick={() => void refresh.run()}>
        Refresh
      </Button>
      <Menu
        class="bordered"
        isRight
        choices={[
          marks,
          [
            { label: 'Save this view', icon: 'plus', run: () => open('save') },
            ...(bookmarks.length > 0
              ? [
                  { label: 'Update or delete', icon: 'pencil' as const, run: () => open('manage') },
                  { label: 'Open without a bookmark', href: `${location.pathname}?bookmark=none` },
                ]
              : []),
          ],
        ]}
      >
        <Icon name="star" size={16} />
        Bookmarks
      </Menu>
      <Menu
        label="More actions"
        isRight
        class="icon-only"
        choices={[
          rights?.canExport
            ? Object.entries(FILES).map(([format, label]) => ({
                label: `Download as ${label}`,
                icon: 'download' as const,
                run: () => write(format as Format, page),
              }))
            : [],
          [
            { label: 'Print', icon: 'file', run: () => void shown()?.print() },
            {
              label: 'Copy link to this view',
              icon: 'link',
              run: () => void copy(location.href, 'The link is copied.'),
            },
            ...(isEditor
              ? [{ label: 'Subscriptions', icon: 'clock' as const, href: to(`/dashboards/${id}/subscriptions`) }]
              : []),
            { label: 'Comments and alerts', icon: 'external-link', href: `/api/d/${id}` },
          ],
          isWriter
            ? [
                { label: 'Rename', icon: 'pencil', run: () => open('rename') },
                { label: 'Duplicate', icon: 'copy', run: () => open('duplicate') },
                { label: 'Delete', icon: 'trash-2', isDanger: true, run: () => open('delete') },
              ]
            : [],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      {rights?.canShare && (
        <Link to={`/dashboards/${id}/share`} class="button">
          <Icon name="share-2" size={16} />
          Share
        </Link>
      )}
      {isEditor && (
        <Link to={edit} class="button main edit">
          <Icon name="pencil" size={16} />
          Edit
        </Link>
      )}
      {Layer && (
        <Layer
          id={id}
          dashboard={dashboard}
          pageId={pageId}
          bookmarks={bookmarks}
          isEditor={isEditor}
          close={() => open(undefined)}
        />
      )}
    </>
  );
}

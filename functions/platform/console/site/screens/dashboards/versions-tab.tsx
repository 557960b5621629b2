import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { useNames } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

type Version = Types.DashboardVersion;

/** What was published, to restore. */
export default function Versions({ draft }: { draft: BoardDraft }) {
  const { id, publishedVersion } = draft.board.value;
  const list = useList<Version>(['dashboards', id, 'versions', publishedVersion], (place) =>
    api.dashboards.listVersions(id, place),
  );
  const names = useNames();
  const [chosen, choose] = useState<Version | undefined>(undefined);
  const { items, error } = list;
  if (!items) return error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={6} />;
  if (items.length === 0) {
    return (
      <Empty icon="clock" title="Nothing is published yet">
        Each time the dashboard is published, a version is kept here.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Versions"
        columns={columnsOf(names, publishedVersion, choose)}
        list={list}
        keyOf={({ version }) => String(version)}
      />
      {chosen && <Restore draft={draft} version={chosen} close={() => choose(undefined)} />}
    </>
  );
}

const columnsOf = (
  names: ReadonlyMap<string, string> | undefined,
  newest: number | null,
  choose: (version: Version) => void,
): readonly Column<Version>[] => [
  {
    id: 'version',
    label: 'Version',
    width: '130px',
    cell: ({ version }) => (version === newest ? `${version} (newest)` : version),
  },
  { id: 'at', label: 'Published', width: '140px', cell: ({ publishedAt }) => <Ago at={publishedAt} /> },
  { id: 'by', label: 'By', isMinor: true, width: '180px', cell: ({ publishedBy }) => names?.get(publishedBy) ?? '–' },
  {
    id: 'note',
    label: 'What has changed',
    cell: ({ changeNote, overrideReason }) => (
      <>
        {changeNote ?? <span class="hint">–</span>}
        {overrideReason && <span class="late"> published anyway: {overrideReason}</span>}
      </>
    ),
  },
  {
    id: 'counts',
    label: 'Contents',
    isMinor: true,
    width: '150px',
    cell: ({ counts: { cards, filters } }) => `${counted(cards, 'card')}, ${counted(filters, 'filter')}`,
  },
  {
    id: 'restore',
    label: 'Restore',
    width: '110px',
    cell: (row) => (
      <Button isSmall aria-label={`Restore version ${row.version}`} onClick={() => choose(row)}>
        Restore
      </Button>
    ),
  },
];

/** The draft before is undone to by the file of it, which the history keeps. */
function Restore({ draft, version: { version }, close }: { draft: BoardDraft; version: Version; close: () => void }) {
  const restore = useAction(async () => {
    await draft.flush();
    const before = await (await api.dashboards.exportFile(draft.id)).text();
    const again = () => draft.structure(() => api.dashboards.restoreVersion(draft.id, version));
    await again();
    draft.history.add({
      label: `Restore version ${version}`,
      undo: async () => {
        await draft.structure(() => api.dashboards.importFile(draft.id, before));
      },
      redo: async () => {
        await again();
      },
    });
    toast(`The draft is version ${version}.`, { action: { label: 'Undo', run: () => void draft.history.undo() } });
  });
  return (
    <Confirm
      title={`Restore version ${version}?`}
      action="Restore"
      isBusy={restore.isRunning}
      problem={restore.problem}
      submit={() => restore.run()}
      close={close}
    >
      <p>The draft becomes what it was in version {version}. Readers see it once it is published.</p>
    </Confirm>
  );
}

import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Referrers } from '../../shell/referrers.tsx';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { bytesOf, counted } from '../../ui/format.ts';
import { dayText } from '../../ui/moment.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

type Version = Types.DatasetVersion;

/** What the dataset was, as far back as it is kept. */
export function Versions({ dataset: { id, version } }: { dataset: Dataset }) {
  const { data, error, refresh } = useQuery(['datasets', id, 'versions', version], () => api.datasets.listVersions(id));
  const canRestore = hasRole(useMe().data, 'editor');
  const [chosen, choose] = useState<Version | undefined>(undefined);
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const { items, storedBytes } = data;
  if (items.length === 0) {
    return (
      <Empty icon="clock" title="There are no versions yet">
        Each load adds one.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Versions"
        columns={columnsOf(items, canRestore ? choose : undefined)}
        rows={items}
        keyOf={(each) => String(each.version)}
      />
      <p class="hint">
        {counted(items.length, 'version')} take up {bytesOf(storedBytes)} in total; files that versions share count
        once.
      </p>
      {chosen && <Restore id={id} version={chosen} close={() => choose(undefined)} />}
    </>
  );
}

const WAYS: Readonly<Record<string, string>> = { append: 'rows added', overwrite: 'replaced', merge: 'rows merged' };
const ORIGINS: Readonly<Record<string, string>> = {
  pipeline: 'by a pipeline',
  refresh: 'by a refresh',
  quality_test: 'by a data-quality test',
};

const wayOf = ({ mode, origin }: Version): string =>
  origin.kind === 'restore'
    ? `restored from version ${(origin as Types.RestoreOrigin).version}`
    : `${WAYS[mode] ?? mode} ${ORIGINS[origin.kind] ?? ''}`;

/** The difference to the version before. */
function Change({ items, of: { version, rowCount } }: { items: readonly Version[]; of: Version }) {
  const before = items[items.findIndex((each) => each.version === version) + 1];
  if (!before) return null;
  const difference = rowCount - before.rowCount;
  return difference === 0 ? <span>±0</span> : <Count of={difference} isChange />;
}

const columnsOf = (
  items: readonly Version[],
  choose: ((version: Version) => void) | undefined,
): readonly Column<Version>[] => [
  {
    id: 'version',
    label: 'Version',
    width: 'min(110px, 18vw)',
    cell: ({ version }) => version,
  },
  { id: 'at', label: 'Created', width: 'min(140px, 30vw)', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    id: 'rows',
    label: 'Rows',
    isNumber: true,
    width: 'min(120px, 21vw)',
    cell: ({ rowCount }) => <Count of={rowCount} />,
  },
  {
    id: 'change',
    label: 'Change',
    isNumber: true,
    isMinor: true,
    width: '110px',
    cell: (each) => <Change items={items} of={each} />,
  },
  { id: 'how', label: 'How', isMinor: true, cell: wayOf },
  {
    id: 'until',
    label: 'Kept until',
    isMinor: true,
    width: '150px',
    cell: ({ expiresAt }) => (expiresAt === null ? 'further notice' : dayText(expiresAt)),
  },
  {
    id: 'restore',
    label: 'Restore',
    width: 'min(110px, 25vw)',
    cell: (each) =>
      each.isCurrent ? (
        <span class="hint">current</span>
      ) : (
        choose && (
          <Button isSmall onClick={() => choose(each)} aria-label={`Restore version ${each.version}`}>
            Restore
          </Button>
        )
      ),
  },
];

/** Asks again if columns that are in use would be gone. */
function Restore({ id, version: { version, rowCount }, close }: { id: string; version: Version; close: () => void }) {
  const restore = useAction(async (force: boolean) => {
    await api.datasets.restoreVersion(id, version, { force });
    await refreshQueries(['datasets', id]);
  });
  const isInUse = restore.problem?.code === 'REFERENCED';
  return (
    <Dialog
      title={`Restore version ${version}?`}
      action={isInUse ? 'Restore anyway' : 'Restore'}
      isDanger={isInUse}
      isBusy={restore.isRunning}
      problem={restore.problem}
      submit={() => restore.run(isInUse)}
      close={close}
    >
      <p>
        The dataset gets a new version with the {counted(rowCount, 'row')} of version {version}. Nothing is lost.
      </p>
      <Referrers problem={restore.problem} />
    </Dialog>
  );
}

import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { useMembers } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Referrers } from '../../shell/referrers.tsx';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import type { PartProps } from './part-props.ts';

type Version = Types.ModelVersion;

/** What was published, newest first, each with the difference to the one before. */
export function Versions({ model, canEdit }: PartProps) {
  const { data, error, refresh } = useQuery(['models', model.id, 'versions'], () =>
    allOf(api.models.listVersions(model.id, { limit: PAGE })),
  );
  const members = useMembers();
  const chosen = useSignal<Version | undefined>(undefined);
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  if (data.length === 0) {
    return (
      <Empty icon="clock" title="There are no versions yet">
        Publishing stores the model as a version that can be restored.
      </Empty>
    );
  }
  const before = ({ version }: Version) => data.find((each) => each.version === version - 1);
  const columns: readonly Column<Version>[] = [
    { id: 'version', label: 'Version', width: 'min(110px, 28vw)', cell: ({ version }) => `Version ${version}` },
    { id: 'at', label: 'Published', width: 'min(130px, 34vw)', cell: ({ publishedAt }) => <Ago at={publishedAt} /> },
    {
      id: 'by',
      label: 'By',
      isMinor: true,
      cell: ({ publishedBy }) => members?.get(publishedBy)?.name ?? <span class="hint">–</span>,
    },
    {
      id: 'tables',
      label: 'Tables',
      isNumber: true,
      isMinor: true,
      width: '140px',
      cell: (each) => <Counted now={each.tableCount} then={before(each)?.tableCount} />,
    },
    {
      id: 'fields',
      label: 'Fields',
      isNumber: true,
      isMinor: true,
      width: '140px',
      cell: (each) => <Counted now={each.fieldCount} then={before(each)?.fieldCount} />,
    },
    {
      id: 'measures',
      label: 'Measures',
      isNumber: true,
      isMinor: true,
      width: '140px',
      cell: (each) => <Counted now={each.measureCount} then={before(each)?.measureCount} />,
    },
    {
      id: 'gate',
      label: 'Issues',
      isMinor: true,
      cell: ({ gate, overrideReason }) =>
        gate.overridden ? (
          <span title={gate.reasons.map(({ message }) => message).join('\n')}>published anyway: {overrideReason}</span>
        ) : (
          'none'
        ),
    },
    ...(canEdit
      ? [
          {
            id: 'restore',
            label: 'Restore',
            width: '110px',
            cell: (each: Version) => (
              <Button
                isSmall
                aria-label={`Restore version ${each.version}`}
                onClick={() => {
                  chosen.value = each;
                }}
              >
                Restore
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      {model.hasUnpublishedChanges && <p class="hint">The model has changed since the latest version.</p>}
      <Table label="Versions" columns={columns} rows={data} keyOf={({ version }) => String(version)} />
      {chosen.value && (
        <Restore
          id={model.id}
          version={chosen.value.version}
          close={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** A count, and the difference to the version before. */
function Counted({ now, then = now }: { now: number; then: number | undefined }) {
  const difference = now - then;
  return (
    <>
      {difference !== 0 && (
        <span class="hint">
          <Count of={difference} isChange />
        </span>
      )}{' '}
      <Count of={now} />
    </>
  );
}

/** Asks again if other objects would break. */
function Restore({ id, version, close }: { id: string; version: number; close: () => void }) {
  const restore = useAction(async (force: boolean) => {
    await api.models.restoreVersion(id, version, { force });
    await refreshQueries(['models', id]);
    toast(`The model is as in version ${version} again.`);
  });
  const isInUse = restore.problem?.code === 'REFERENCED';
  return (
    <Confirm
      title={`Restore version ${version}?`}
      action={isInUse ? 'Restore anyway' : 'Restore'}
      isBusy={restore.isRunning}
      problem={restore.problem}
      submit={() => restore.run(isInUse)}
      close={close}
    >
      <p>
        All tables, fields, relationships and measures become those of version {version}. Changes that are not published
        are lost.
      </p>
      <Referrers problem={restore.problem} />
    </Confirm>
  );
}

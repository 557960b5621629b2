import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { bytesOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago } from '../../ui/time.tsx';
import { Delete } from './delete.tsx';
import { Lag } from './lag.tsx';
import { Settings } from './settings.tsx';
import { remedyOf, type Stream, type StreamTable, streamStatus, useSources, useStream } from './streams.ts';

/** One stream. */
export default function StreamScreen({ params: { id = '' } }: ScreenProps) {
  const { data: stream, error, refresh } = useStream(id);
  const name = stream?.streamId;
  useRecent('cdc_stream', id, name, error);
  if (!stream) {
    return (
      <Page title="Stream">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}</Page>
    );
  }
  return <Shown stream={stream} />;
}

function Shown({ stream }: { stream: Stream }) {
  const canEdit = hasRole(useMe().data, 'editor') && stream.status !== 'deleting';
  const [asked, ask] = useState<'delete' | 'resync' | StreamTable | undefined>(undefined);
  const enable = useAction(async (enabled: boolean) => {
    await api.cdcStreams.update(stream.id, { enabled });
    await refreshQueries(['streams']);
  });
  const isPaused = stream.status === 'paused' || !stream.enabled;
  const close = () => ask(undefined);
  const tabs = [{ id: 'tables', label: 'Tables' }, ...(canEdit ? [{ id: 'settings', label: 'Settings' }] : [])];
  return (
    <Page
      title={stream.streamId}
      mark={<Status kind={streamStatus(stream.status)} label={stream.status} />}
      lead={<Facts stream={stream} />}
      actions={
        canEdit && (
          <>
            <Button
              icon={isPaused ? 'play' : 'pause'}
              isBusy={enable.isRunning}
              onClick={() => void enable.run(isPaused)}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
            <Menu
              label="More actions"
              isRight
              class="icon-only"
              choices={[
                [{ label: 'Resync all tables', icon: 'refresh-cw', run: () => ask('resync') }],
                [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => ask('delete') }],
              ]}
            >
              <Icon name="ellipsis" />
            </Menu>
          </>
        )
      }
    >
      <Issue problem={enable.problem} />
      {stream.error && (
        <Remedy
          name="The stream has stopped"
          error={stream.error}
          isOfTable={false}
          {...(canEdit && stream.error.code === 'SLOT_LOST' && { resync: () => ask('resync') })}
        />
      )}
      {isPaused && stream.status !== 'deleting' && (
        <p class="hint">While the stream is paused, the source keeps its log for it.</p>
      )}
      <Tabs label="Parts of the stream" tabs={tabs}>
        {(tab) =>
          tab === 'settings' ? (
            <Settings stream={stream} />
          ) : (
            <div class="stream-part">
              {stream.tables.map(
                (table) =>
                  table.error && (
                    <Remedy
                      key={table.name}
                      name={`${table.name} has stopped`}
                      error={table.error}
                      isOfTable
                      {...(canEdit && { resync: () => ask(table) })}
                    />
                  ),
              )}
              <Table
                label="Tables"
                columns={columnsOf(canEdit ? ask : undefined)}
                rows={stream.tables}
                keyOf={({ name }) => name}
              />
              <Section title="Lag">
                <Lag stream={stream} />
              </Section>
              <Section title="Position in the source">
                <Positions stream={stream} />
              </Section>
            </div>
          )
        }
      </Tabs>
      {asked === 'delete' && <Delete stream={stream} close={close} />}
      {asked !== undefined && asked !== 'delete' && (
        <Resync stream={stream} tables={asked === 'resync' ? undefined : [asked.name]} close={close} />
      )}
    </Page>
  );
}

function Facts({ stream: { sourceId, capture, createdAt } }: { stream: Stream }) {
  const source = useSources().data?.get(sourceId);
  return (
    <span class="facts">
      {source && <Link to={`/sources/${sourceId}`}>{source.name}</Link>}
      <span>{capture === 'streaming' ? 'streamed as it is written' : 'read every ten seconds'}</span>
      <span>
        created <Ago at={createdAt} />
      </span>
      <Link to="/streams">All streams</Link>
    </span>
  );
}

interface RemedyProps {
  name: string;
  error: { code: string; message: string };
  isOfTable: boolean;
  resync?: () => void;
}

/** Why something has stopped, and what to do about it. */
const Remedy = ({ name, error: { code, message }, isOfTable, resync }: RemedyProps) => (
  <div class="issue-box remedy" role="alert">
    <p>
      <strong>{name}:</strong> {message} <code>{code}</code>
    </p>
    <p>
      <strong>What to do:</strong> {remedyOf(code, isOfTable)}
    </p>
    {resync && (
      <Button isSmall icon="refresh-cw" onClick={resync}>
        {isOfTable ? 'Resync the table' : 'Resync the stream'}
      </Button>
    )}
  </div>
);

const columnsOf = (resync: ((table: StreamTable) => void) | undefined): readonly Column<StreamTable>[] => [
  { id: 'name', label: 'Table', cell: ({ name }) => name },
  {
    id: 'status',
    label: 'Status',
    width: 'min(140px, 34vw)',
    cell: ({ status }) => <Status kind={streamStatus(status)} label={status} />,
  },
  {
    id: 'rows',
    label: 'Rows captured',
    isNumber: true,
    isMinor: true,
    width: '140px',
    cell: ({ rows }) => <Count of={rows} />,
  },
  { id: 'lsn', label: 'Position', isMinor: true, width: '190px', cell: ({ lastLsn }) => <Lsn at={lastLsn} /> },
  ...(resync
    ? [
        {
          id: 'actions',
          label: 'Actions',
          width: 'min(120px, 26vw)',
          cell: (table: StreamTable) => (
            <Button isSmall look="plain" aria-label={`Resync ${table.name}`} onClick={() => resync(table)}>
              Resync
            </Button>
          ),
        },
      ]
    : []),
];

const Lsn = ({ at }: { at: string | null }) => (at === null ? <span class="hint">–</span> : <code>{at}</code>);

function Positions({ stream }: { stream: Stream }) {
  const { slotName, walStatus, retainedWalBytes, walLimitBytes, confirmedLsn, committedLsn } = stream;
  const facts: readonly (readonly [string, preact.ComponentChildren])[] = [
    ['Captured up to', <Lsn at={committedLsn} />],
    ['Confirmed to the source', <Lsn at={confirmedLsn} />],
    ['Slot and publication', <code>{slotName}</code>],
    ['Slot in Postgres', walStatus ?? '–'],
    [
      'Log that the source keeps',
      retainedWalBytes === null ? '–' : `${bytesOf(retainedWalBytes)} of at most ${bytesOf(walLimitBytes)}`,
    ],
  ];
  return (
    <dl class="stream-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ResyncProps {
  stream: Stream;
  /** All of them, with a new slot, if absent. */
  tables: string[] | undefined;
  close: () => void;
}

function Resync({ stream: { id, streamId }, tables, close }: ResyncProps) {
  const resync = useAction(async () => {
    await api.cdcStreams.resync(id, tables ? { tables } : {});
    await refreshQueries(['streams']);
  });
  return (
    <Confirm
      title={`Resync ${tables ? tables.join(', ') : streamId}?`}
      action="Resync"
      isBusy={resync.isRunning}
      problem={resync.problem}
      submit={() => resync.run()}
      close={close}
    >
      <p>
        {tables ? 'A new snapshot of the table is taken.' : 'New snapshots of all tables are taken, with a new slot.'}{' '}
        Until they are complete, pipelines read what is there now. Rows that are not in the new snapshot are then
        removed.
      </p>
    </Confirm>
  );
}

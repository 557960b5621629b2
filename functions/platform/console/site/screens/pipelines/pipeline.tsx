import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useMembers } from '../../data/members.ts';
import { type Pipeline, triggerInWords, usePipeline } from '../../data/pipelines.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import { rebaseForms } from '../../data/versioned.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago, Until } from '../../ui/time.tsx';
import { Backfill } from './backfill.tsx';
import { Delete } from './delete.tsx';
import { hasDraft } from './editor/editing.ts';
import { LatestRuns } from './latest-runs.tsx';
import { RunDialog } from './run-dialog.tsx';
import { Runs } from './runs.tsx';
import { Settings } from './settings.tsx';
import { Starts } from './starts.tsx';
import { Steps } from './steps.tsx';
import { useStart } from './use-start.ts';

/** One pipeline. */
export default function PipelineScreen({ params: { id = '' }, query }: ScreenProps) {
  const { data: pipeline, error, refresh } = usePipeline(id);
  const name = pipeline?.name;
  useRecent('pipeline', id, name, error);
  if (!pipeline) {
    return (
      <Page title="Pipeline">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  return <Shown pipeline={pipeline} query={query} />;
}

function Shown({ pipeline, query }: { pipeline: Pipeline; query: ScreenProps['query'] }) {
  const { id, permission } = pipeline;
  const canEdit = permission === 'editor';
  const tabs = [
    { id: 'steps', label: 'Steps' },
    { id: 'runs', label: 'Runs' },
    { id: 'starts', label: 'Starts' },
    ...(canEdit
      ? [
          { id: 'backfill', label: 'Backfill' },
          { id: 'settings', label: 'Settings' },
        ]
      : []),
  ];
  const parts: Record<string, () => preact.JSX.Element> = {
    steps: () => <Steps pipeline={pipeline} chosen={query.step} />,
    runs: () => <Runs pipelineId={id} />,
    starts: () => <Starts pipeline={pipeline} />,
    backfill: () => <Backfill pipeline={pipeline} />,
    settings: () => <Settings pipeline={pipeline} />,
  };
  return (
    <Head pipeline={pipeline} isAsked={canEdit && query.run === 'options'}>
      <Tabs label="Parts of the pipeline" tabs={tabs}>
        {(tab) => <div class="pipeline-part">{parts[tab]!()}</div>}
      </Tabs>
    </Head>
  );
}

interface HeadProps {
  pipeline: Pipeline;
  /** Whether the options of a run are asked for when the screen opens. */
  isAsked: boolean;
  children: preact.ComponentChildren;
}

function Head({ pipeline, isAsked, children }: HeadProps) {
  const { id, name, status, permission } = pipeline;
  const [asked, ask] = useState<'run' | 'delete' | undefined>(isAsked ? 'run' : undefined);
  const { route } = useLocation();
  const start = useStart();
  const setStatus = useSetStatus(pipeline);
  const canEdit = permission === 'editor';
  const isPaused = status === 'paused';
  const run = () => void start.run(pipeline, () => ask('run'));
  useShortcut('r', 'Run now', run, canEdit && !isPaused);
  useShortcut('e', 'Edit', () => route(to(`/pipelines/${id}/edit`)), canEdit);
  const close = () => ask(undefined);
  return (
    <Page
      title={name}
      mark={isPaused && <Status kind="waiting" label="paused" />}
      lead={<Facts pipeline={pipeline} />}
      actions={
        canEdit && (
          <>
            <Link to={`/pipelines/${id}/edit`} class="button">
              {hasDraft(id) ? 'Continue your draft' : 'Edit'}
            </Link>
            {isPaused ? (
              <Button icon="play" isBusy={setStatus.isRunning} onClick={() => void setStatus.run('active')}>
                Resume
              </Button>
            ) : (
              <Button look="main" icon="play" isBusy={start.isRunning} onClick={run}>
                Run now
              </Button>
            )}
            <Menu
              label="More actions"
              isRight
              class="icon-only"
              choices={[
                isPaused
                  ? []
                  : [
                      { label: 'Run with options', icon: 'play', run: () => ask('run') },
                      { label: 'Pause', icon: 'pause', run: () => void setStatus.run('paused') },
                    ],
                [{ label: 'Duplicate', icon: 'copy', href: to('/pipelines/new', { from: id }) }],
                [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => ask('delete') }],
              ]}
            >
              <Icon name="ellipsis" />
            </Menu>
          </>
        )
      }
    >
      <Issue problem={start.problem ?? setStatus.problem} />
      {children}
      {asked === 'run' && <RunDialog pipeline={pipeline} close={close} />}
      {asked === 'delete' && <Delete pipeline={pipeline} close={close} />}
    </Page>
  );
}

const useSetStatus = ({ id, revision }: Pipeline) =>
  useAction(async (status: 'active' | 'paused') => {
    const saved = await api.pipelines.update(id, { status }, undefined, { ifMatch: revision });
    rebaseForms(id, revision, saved.revision);
    await refreshQueries(['pipelines']);
  });

function Facts({ pipeline }: { pipeline: Pipeline }) {
  const { schedule, status, dag, activeRuns, queuedRuns, latestRuns, createdBy, updatedAt, managedBy } = pipeline;
  const members = useMembers();
  const trigger = triggerInWords(dag.trigger, () => 'another pipeline');
  const isOn = schedule !== null && schedule.enabled !== false && status === 'active';
  return (
    <span class="facts">
      {schedule && (
        <span>
          {scheduleInWords(schedule)}
          {isOn && schedule.nextRunAt && (
            <>
              {', next '}
              <Until at={schedule.nextRunAt} />
            </>
          )}
        </span>
      )}
      {!schedule && !trigger && <span>starts by hand</span>}
      {trigger && <span>{trigger}</span>}
      {latestRuns.length > 0 && (
        <span>
          {latestRuns.length === 1 ? 'latest run' : 'latest runs'} <LatestRuns runs={latestRuns} />
        </span>
      )}
      {activeRuns > 0 && <span>{countOf(activeRuns)} running</span>}
      {queuedRuns > 0 && <span>{countOf(queuedRuns)} waiting</span>}
      <span>
        changed <Ago at={updatedAt} />
      </span>
      {members?.get(createdBy) && <span>created by {members.get(createdBy)!.name}</span>}
      {managedBy && (
        <span>
          deployed from <code>{managedBy.path}</code> of {managedBy.project}
        </span>
      )}
    </span>
  );
}

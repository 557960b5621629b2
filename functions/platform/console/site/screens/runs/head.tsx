import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { ApiError, api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { triggerText, usePipeline } from '../../data/pipelines.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { startRun } from '../../data/start-run.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { dateIn } from '../../ui/date-in.ts';
import { counted, durationOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { jobStatus } from '../../ui/job-status.ts';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { dateText } from '../../ui/moment.ts';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { isOver, type Run, type StepRun } from './live-run.ts';

interface RunHeadProps {
  run: Run;
  /** The step that is shown, from which a retry may begin. */
  step: StepRun | undefined;
  /** The run goes on, or was cancelled. */
  changed: () => void;
}

/** What the run is, how it stands, and what can be done with it. */
export function RunHead({ run, step, changed }: RunHeadProps) {
  const mayChange = hasRole(useMe().data, 'editor');
  const cancel = useAction(() => api.runs.cancel(run.id).then(changed));
  const retry = useRetry(run, changed);
  const again = useRunAgain(run);
  const problem = cancel.problem ?? retry.problem ?? again.problem;
  return (
    <Page
      title={run.pipelineName}
      mark={<Status kind={jobStatus(run.status)} label={run.status} />}
      lead={<Facts run={run} />}
      actions={
        mayChange && (
          <>
            {!isOver(run) && (
              <Button isBusy={cancel.isRunning} onClick={() => void cancel.run()}>
                Cancel
              </Button>
            )}
            {isOver(run) && (
              <Menu
                look={run.status === 'failed' ? 'main' : 'plain'}
                choices={choicesOf(run, step, retry.run, again.run)}
                isRight
              >
                <Icon name="rotate-ccw" size={16} /> {run.status === 'failed' ? 'Retry' : 'Run again'}
                <Icon name="chevron-down" size={16} />
              </Menu>
            )}
          </>
        )
      }
    >
      <Issue problem={problem} />
    </Page>
  );
}

const useRetry = (run: Run, changed: () => void) =>
  useAction(async (fromStep: string | undefined) => {
    try {
      await api.runs.retry(run.id, fromStep === undefined ? {} : { fromStep });
    } catch (error) {
      // It may go on already, such as after a try whose reply was lost.
      if (error instanceof ApiError) changed();
      throw error;
    }
    changed();
    await refreshQueries(['runs']);
  });

/** Starts another run of the pipeline, as it is saved now, with the same parameters, and shows it. */
function useRunAgain({ pipelineId, parameters }: Run) {
  const { route } = useLocation();
  return useAction(async (fullRefresh: boolean) => {
    await startRun(pipelineId, { parameters, ...(fullRefresh && { fullRefresh }) }, (runId) =>
      route(to(`/runs/${runId}`)),
    );
  });
}

function choicesOf(
  { status }: Run,
  step: StepRun | undefined,
  retry: (fromStep: string | undefined) => unknown,
  again: (fullRefresh: boolean) => unknown,
) {
  return [
    [
      ...(status === 'failed' ? [{ label: 'The failed steps', run: () => void retry(undefined) }] : []),
      ...(step ? [{ label: `From step ${step.stepId}`, run: () => void retry(step.stepId) }] : []),
    ],
    [
      { label: 'A new run', hint: 'as saved now', run: () => void again(false) },
      { label: 'A new run, all rows', hint: 'full refresh', run: () => void again(true) },
    ],
  ];
}

function Facts({ run }: { run: Run }) {
  const { trigger, attempt, createdAt, startedAt, durationMs, rowsMoved, logicalDate, waitingFor } = run;
  const usual = useUsual(run);
  return (
    <span class="facts">
      <Link to="/runs" query={{ pipeline: run.pipelineId }}>
        All runs
      </Link>
      <span>started by {triggerText(trigger.kind)}</span>
      <Ago at={startedAt ?? createdAt} />
      {attempt > 1 && <span>attempt {attempt}</span>}
      {durationMs !== null && (
        <span>
          took {durationOf(durationMs)}
          {usual !== undefined && <> (usually {durationOf(usual)})</>}
        </span>
      )}
      {rowsMoved > 0 && <span>{counted(rowsMoved, 'row')} loaded</span>}
      {trigger.kind === 'backfill' && logicalDate && <BackfilledDay run={run} at={logicalDate} />}
      {run.status === 'queued' && waitingFor && <span>waiting for {waitingFor.replaceAll('_', ' ')}</span>}
    </span>
  );
}

/** A day begins at midnight in the time zone of the pipeline, which is another date in UTC. */
function BackfilledDay({ run, at }: { run: Run; at: string }) {
  const { data } = usePipeline(run.pipelineId);
  return data ? <span>for {dateText(dateIn(at, data.schedule?.timezone ?? 'UTC'))}</span> : null;
}

const COMPARED = 10;

/** The median of the last runs that succeeded, in milliseconds. */
function useUsual({ id, pipelineId }: Run): number | undefined {
  const { data } = useQuery(['usual', pipelineId], () =>
    api.runs.list(pipelineId, { status: 'succeeded', limit: COMPARED + 1 }),
  );
  const times = (data?.items ?? [])
    .filter((each) => each.id !== id && each.durationMs !== null)
    .map(({ durationMs }) => durationMs!)
    .slice(0, COMPARED)
    .sort((one, other) => one - other);
  if (times.length < 2) return undefined;
  const middle = times.length >> 1;
  return times.length % 2 === 1 ? times[middle] : (times[middle - 1]! + times[middle]!) / 2;
}

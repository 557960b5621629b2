import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import { hasSeenRun } from '../../data/start-run.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Page } from '../../ui/page.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { StepGraph } from './graph.tsx';
import { RunHead } from './head.tsx';
import { LiveRun, type Run, type StepRun } from './live-run.ts';
import { firstToShow, groupsOf, nextFailed } from './step-groups.ts';
import { StepPanel } from './step-panel.tsx';
import { StepTable } from './step-table.tsx';
import { Timeline } from './timeline.tsx';

const VIEWS = [
  { id: 'graph', label: 'Graph' },
  { id: 'timeline', label: 'Timeline' },
  { id: 'steps', label: 'Steps' },
];

/** A run as it goes on. It opens on the first step that failed. */
export default function RunScreen({ params: { id }, query }: ScreenProps) {
  const live = useMemo(() => new LiveRun(id!), [id]);
  useEffect(() => {
    void live.start();
    return () => live.stop();
  }, [live]);
  const run = live.run.value;
  const error = live.error.value;
  useRecent('run', id!, run?.pipelineName, error);
  useEffect(() => {
    if (run) hasSeenRun(run);
  }, [run?.id]);
  if (!run) {
    return (
      <Page title="Run">
        {error === undefined ? (
          <Loading rows={8} />
        ) : (
          <Failed problem={problemOf(error)} retry={() => void live.start()} />
        )}
      </Page>
    );
  }
  return <Shown live={live} run={run} query={query} />;
}

interface ShownProps {
  live: LiveRun;
  run: Run;
  query: ScreenProps['query'];
}

function Shown({ live, run, query }: ShownProps) {
  const { route } = useLocation();
  const { id, steps } = run;
  const asked = steps.find(
    ({ stepId, itemIndex }) => stepId === query.step && (itemIndex ?? 0) === Number(query.item ?? 0),
  );
  const shown = asked ?? firstToShow(steps);
  const address = (step: StepRun) => to(`/runs/${id}`, { view: query.view, ...placeOf(step) });
  const select = (step: StepRun | undefined) => step && route(address(step), true);
  useShortcut(
    'f',
    'Next failed step',
    () => select(nextFailed(steps, shown)),
    steps.some(({ status }) => status === 'failed'),
  );
  const groups = useMemo(() => groupsOf(run), [run]);
  const views = {
    graph: () => (
      <StepGraph groups={groups} progress={live.progress.value} shown={shown} address={address} select={select} />
    ),
    timeline: () => <Timeline run={run} groups={groups} shown={shown} address={address} />,
    steps: () => <StepTable steps={steps} shown={shown} address={address} />,
  };
  return (
    <div class="page run">
      <RunHead run={run} step={shown} changed={() => void live.start()} />
      {live.error.value !== undefined && (
        <Failed problem={problemOf(live.error.value)} retry={() => void live.start()} />
      )}
      <div class="run-parts">
        <section class="run-steps" aria-label="Steps of the run">
          <Tabs label="How the steps are shown" tabs={VIEWS} param="view">
            {(view) => views[view as keyof typeof views]()}
          </Tabs>
        </section>
        {shown && <StepPanel key={`${shown.stepId} ${shown.itemIndex}`} run={run} step={shown} />}
      </div>
    </div>
  );
}

const placeOf = ({ stepId, itemIndex }: StepRun): Record<string, string> => ({
  step: stepId,
  ...(itemIndex !== null && { item: String(itemIndex) }),
});

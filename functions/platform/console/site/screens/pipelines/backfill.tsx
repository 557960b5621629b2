import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { type Pipeline, requiredParameters } from '../../data/pipelines.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { BackfillProgress, useBackfill } from './backfill-progress.tsx';
import { daysBetween, MAX_DAYS } from './days.ts';
import { defaultsOf, ParameterFields, valuesOf } from './parameter-fields.tsx';

/** Runs the pipeline once for each day of the past. */
export function Backfill({ pipeline }: { pipeline: Pipeline }) {
  const { id, dag, schedule, status } = pipeline;
  const zone = schedule?.timezone ?? 'UTC';
  const parameters = dag.parameters ?? [];
  const days = useSignal({ from: '', to: '' });
  const given = useSignal(defaultsOf(parameters));
  const last = useBackfill(id, zone);
  const start = useAction(async () => {
    const { from, to } = days.peek();
    await api.pipelines.startBackfill(id, {
      from,
      to,
      ...(parameters.length > 0 && { parameters: valuesOf(parameters, given.peek()) }),
    });
    days.value = { from: '', to: '' };
    await refreshQueries(['backfill', id]);
  });
  const { from, to } = days.value;
  const count = daysBetween(from, to);
  const set = (change: Partial<typeof days.value>) => {
    days.value = { ...days.peek(), ...change };
  };
  return (
    <>
      <Section title="Run past days">
        {status === 'paused' ? (
          <p>The pipeline is paused. Resume it to run past days.</p>
        ) : (
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void start.run();
            }}
          >
            <Field
              label="First day"
              type="date"
              required
              issue={issueOf(start.problem, 'from')}
              value={from}
              onInput={({ currentTarget: { value } }) => set({ from: value })}
            />
            <Field
              label="Last day"
              type="date"
              required
              issue={issueOf(start.problem, 'to')}
              value={to}
              onInput={({ currentTarget: { value } }) => set({ to: value })}
            />
            {requiredParameters(dag).length > 0 || parameters.length > 0 ? (
              <ParameterFields parameters={parameters} value={given} issues={start.problem?.issues} />
            ) : null}
            <Preview pipeline={pipeline} zone={zone} count={count} />
            <div class="actions">
              <Button
                type="submit"
                look="main"
                isBusy={start.isRunning}
                disabled={count === undefined || count > MAX_DAYS}
              >
                {count === undefined ? 'Start' : `Start ${counted(count, 'run')}`}
              </Button>
            </div>
            <Issue problem={start.problem} />
          </form>
        )}
      </Section>
      <Section title="Latest backfill">
        <BackfillProgress pipelineId={id} last={last} />
      </Section>
    </>
  );
}

/** What a start would do. */
function Preview({ pipeline, zone, count }: { pipeline: Pipeline; zone: string; count: number | undefined }) {
  if (count === undefined) return <p class="hint">Choose the days: each gets one run, the oldest first.</p>;
  if (count > MAX_DAYS)
    return (
      <p class="issue">
        These are {counted(count, 'day')}; a backfill has at most {MAX_DAYS}.
      </p>
    );
  const { dag, concurrency } = pipeline;
  const incremental = dag.steps.filter(
    ({ type, config }) => type === 'extract' && (config as { mode?: string }).mode === 'incremental',
  );
  const appending = dag.steps.filter(
    ({ type, config }) => type === 'load' && (config as { mode?: string }).mode === 'append',
  );
  return (
    <div class="preview-of-backfill">
      <p>
        {counted(count, 'run')}, one for each day in the time zone {zone}, the oldest first, at most{' '}
        {Math.max(1, concurrency.maxConcurrentRuns - 1)} at the same time.
      </p>
      <p class="hint">
        {incremental.length > 0
          ? `Extracts read the rows of the day, and the position of live runs stays as it is: ${incremental.map(({ id }) => id).join(', ')}.`
          : 'No extract is incremental: each run reads the same rows, unless its SQL uses {{ run.logicalDate }}.'}
        {appending.length > 0 &&
          ` Loads that append, so that days that were loaded before are loaded twice: ${appending.map(({ id }) => id).join(', ')}.`}
      </p>
    </div>
  );
}

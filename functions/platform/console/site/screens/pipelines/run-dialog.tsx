import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import type { Pipeline, Step } from '../../data/pipelines.ts';
import { startRun } from '../../data/start-run.ts';
import { to } from '../../ui/address.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { defaultsOf, ParameterFields, valuesOf } from './parameter-fields.tsx';

const isIncremental = ({ type, config }: Step): boolean =>
  type === 'extract' && (config as { mode?: string }).mode === 'incremental';

/** Starts a run with values for its parameters, and with extracts that read all rows again. */
export function RunDialog({ pipeline, close }: { pipeline: Pipeline; close: () => void }) {
  const { id, name, dag } = pipeline;
  const { route } = useLocation();
  const parameters = dag.parameters ?? [];
  const given = useSignal(defaultsOf(parameters));
  const refreshed = useSignal<readonly string[]>([]);
  const extracts = dag.steps.filter(isIncremental);
  const start = useAction(async () => {
    const all = refreshed.peek();
    const body = {
      ...(parameters.length > 0 && { parameters: valuesOf(parameters, given.peek()) }),
      ...(all.length > 0 && { fullRefresh: all.length === extracts.length ? true : [...all] }),
    };
    await startRun(id, body, (runId) => route(to(`/runs/${runId}`)));
  });
  return (
    <Dialog
      title={`Run ${name}`}
      close={close}
      action="Run"
      isBusy={start.isRunning}
      problem={start.problem}
      submit={() => start.run()}
    >
      <ParameterFields parameters={parameters} value={given} issues={start.problem?.issues} />
      {extracts.length > 0 && (
        <fieldset class="field-group">
          <legend>Read all rows again</legend>
          <p class="hint">The chosen extracts start from the beginning in this run.</p>
          {extracts.map((step) => (
            <CheckField
              key={step.id}
              label={step.id}
              checked={refreshed.value.includes(step.id)}
              onChange={({ currentTarget: { checked } }) => {
                const others = refreshed.peek().filter((each) => each !== step.id);
                refreshed.value = checked ? [...others, step.id] : others;
              }}
            />
          ))}
        </fieldset>
      )}
      {parameters.length === 0 && extracts.length === 0 && (
        <p>This pipeline has no parameters and no incremental extracts, so its runs have no options.</p>
      )}
    </Dialog>
  );
}

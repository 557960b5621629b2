import { useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Issue } from '../../../ui/states.tsx';
import type { DraftStep } from './draft.ts';

interface SuggestProps {
  pipelineId: string;
  step: DraftStep;
  /** Takes the suggested operations. */
  take: (ops: unknown[]) => void;
}

/** Describes in words what a recipe should do. What is suggested has been checked and tried; the person takes it or not. */
export function Suggest({ pipelineId, step, take }: SuggestProps) {
  const description = useSignal('');
  const suggested = useSignal<Types.OpsSuggestion | undefined>(undefined);
  const { dependsOn = [], fromPorts = {}, config } = step;
  const ask = useAction(async () => {
    suggested.value = undefined;
    suggested.value = await api.pipelines.suggestOps(pipelineId, {
      description: description.peek(),
      upstreamIds: dependsOn.map((id) => (fromPorts[id] === undefined ? id : `${id}.${fromPorts[id]}`)),
      ...(isWorthKeeping(config.ops) && { currentOps: config.ops as Types.SuggestOps['currentOps'] & {} }),
    });
  });
  const found = suggested.value;
  if (dependsOn.length === 0) return null;
  return (
    <details>
      <summary>Describe it in words</summary>
      <div class="form">
        <TextField
          label="What to do with the rows"
          hint="A language model sees the description and the names of columns, but no rows."
          maxLength={2_000}
          rows={3}
          value={description.value}
          onInput={({ currentTarget }) => {
            description.value = currentTarget.value;
          }}
        />
        <div class="actions">
          <Button
            isSmall
            isBusy={ask.isRunning}
            disabled={description.value.trim() === ''}
            onClick={() => void ask.run()}
          >
            Suggest operations
          </Button>
        </div>
        <Issue problem={ask.problem} />
        {ask.problem?.code === 'NO_RUN_DATA' && (
          <p class="hint">Save and run the pipeline once: a run finds the columns of its steps.</p>
        )}
        {found && (
          <div class="suggestion" role="status">
            <p>{found.explanation}</p>
            <ol>
              {found.ops.map((op, index) => (
                <li key={index}>
                  <code>{JSON.stringify(op)}</code>
                </li>
              ))}
            </ol>
            <Button
              isSmall
              look="main"
              onClick={() => {
                take(found.ops);
                suggested.value = undefined;
              }}
            >
              Use these operations
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}

/** A new recipe has one operation that says nothing yet. */
const isWorthKeeping = (ops: unknown): boolean =>
  Array.isArray(ops) && ops.length > 0 && JSON.stringify(ops) !== JSON.stringify([{ op: 'filter', condition: '' }]);

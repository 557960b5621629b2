import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import { type Pipeline, type Trigger, triggerInWords } from '../../data/pipelines.ts';
import { issueOfChoices } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { HookUrl } from './hook-url.tsx';

type Kind = Trigger['kind'] | 'none';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['none', 'None'],
  ['file_arrival', 'When files arrive'],
  ['pipeline', 'After another pipeline'],
  ['webhook', 'When its URL is called'],
];

const MAX_CHOICES = 200;

interface Typed {
  kind: Kind;
  sourceId: string;
  path: string;
  quietSeconds: string;
  minFiles: string;
  pipelineId: string;
  on: 'success' | 'completion';
}

function typedOf(trigger: Trigger | undefined): Typed {
  const typed: Typed = {
    kind: trigger?.kind ?? 'none',
    sourceId: '',
    path: '**/*.csv',
    quietSeconds: '60',
    minFiles: '1',
    pipelineId: '',
    on: 'success',
  };
  if (trigger?.kind === 'file_arrival') {
    const { sourceId, path, quietSeconds = 60, minFiles = 1 } = trigger;
    return { ...typed, sourceId, path, quietSeconds: String(quietSeconds), minFiles: String(minFiles) };
  }
  if (trigger?.kind === 'pipeline')
    return { ...typed, pipelineId: trigger.pipelineId, on: trigger.on === 'completion' ? 'completion' : 'success' };
  return typed;
}

function triggerOf({ kind, sourceId, path, quietSeconds, minFiles, pipelineId, on }: Typed): Trigger | undefined {
  switch (kind) {
    case 'none':
      return undefined;
    case 'file_arrival':
      return { kind, sourceId, path, quietSeconds: Number(quietSeconds), minFiles: Number(minFiles) };
    case 'pipeline':
      return { kind, pipelineId, on };
    default:
      return { kind: 'webhook' };
  }
}

/** What starts the pipeline besides its schedule: one of arriving files, another pipeline and a URL. */
export function TriggerForm({ pipeline }: { pipeline: Pipeline }) {
  const { id, dag } = pipeline;
  const typed = useSignal(typedOf(dag.trigger));
  const edit = useEdit(
    pipeline,
    () => api.pipelines.get(id),
    async (ifMatch) => {
      // The steps may have changed since the form was opened: only the trigger of the record is replaced.
      const { trigger: _replaced, ...rest } = (edit.theirs ?? pipeline).dag;
      const trigger = triggerOf(typed.peek());
      const saved = await api.pipelines.update(id, { dag: { ...rest, ...(trigger && { trigger }) } }, undefined, {
        ifMatch,
      });
      await refreshQueries(['pipelines']);
      toast('The start is saved.');
      return saved;
    },
  );
  const { theirs, problem } = edit;
  const issueAt = (member: string) =>
    problem?.issues.find(({ pointer }) => pointer === `/dag/trigger/${member}`)?.message;
  const set = (change: Partial<Typed>) => {
    typed.value = { ...typed.peek(), ...change };
  };
  const { kind } = typed.value;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void edit.run();
      }}
    >
      <SelectField
        label="Start the pipeline"
        value={kind}
        onChange={({ currentTarget: { value } }) => set({ kind: value as Kind })}
      >
        {KINDS.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </SelectField>
      {kind === 'file_arrival' && <FileFields typed={typed.value} set={set} issueAt={issueAt} />}
      {kind === 'pipeline' && <PipelineFields ownId={id} typed={typed.value} set={set} issueAt={issueAt} />}
      {kind === 'webhook' && dag.trigger?.kind !== 'webhook' && (
        <p class="hint">Save to get the URL. Anyone who has it can start runs.</p>
      )}
      {theirs ? (
        <Changed
          keepMine={() => void edit.keepMine()}
          takeTheirs={() => {
            typed.value = typedOf(theirs.dag.trigger);
            edit.takeTheirs();
            void refreshQueries(['pipelines']);
          }}
        >
          “{theirs.name}” now starts {triggerInWords(theirs.dag.trigger, () => 'another pipeline') || 'by no trigger'}.
          Your change affects only this.
        </Changed>
      ) : (
        <Issue problem={problem} />
      )}
      <div class="actions">
        <Button type="submit" look="main" isBusy={edit.isRunning}>
          Save the start
        </Button>
      </div>
      {kind === 'webhook' && dag.trigger?.kind === 'webhook' && <HookUrl pipelineId={id} />}
    </form>
  );
}

interface FieldsProps {
  typed: Typed;
  set: (change: Partial<Typed>) => void;
  issueAt: (member: string) => string | undefined;
}

function FileFields({ typed, set, issueAt }: FieldsProps) {
  const { data: sources, error } = useQuery(['sources', 'of-files'], () =>
    api.dataSources.list({ type: 'file', limit: MAX_CHOICES }),
  );
  return (
    <>
      <SelectField
        label="Source"
        required
        hint="Where the files are uploaded."
        issue={issueAt('sourceId') ?? issueOfChoices(error)}
        value={typed.sourceId}
        onChange={({ currentTarget: { value } }) => set({ sourceId: value })}
      >
        <option value="" />
        {sources?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label="Files"
        required
        maxLength={1024}
        hint="A pattern such as “in/**/*.csv”."
        issue={issueAt('path')}
        value={typed.path}
        onInput={({ currentTarget: { value } }) => set({ path: value })}
      />
      <Field
        label="Seconds without another file before the run starts"
        type="number"
        min={0}
        max={3600}
        issue={issueAt('quietSeconds')}
        value={typed.quietSeconds}
        onInput={({ currentTarget: { value } }) => set({ quietSeconds: value })}
      />
      <Field
        label="Files that a run needs"
        type="number"
        min={1}
        max={10_000}
        issue={issueAt('minFiles')}
        value={typed.minFiles}
        onInput={({ currentTarget: { value } }) => set({ minFiles: value })}
      />
    </>
  );
}

function PipelineFields({ ownId, typed, set, issueAt }: FieldsProps & { ownId: string }) {
  const { data: pipelines, error } = useQuery(['pipelines', 'names'], () =>
    api.pipelines.list({ sort: 'name', limit: MAX_CHOICES }),
  );
  return (
    <>
      <SelectField
        label="Pipeline"
        required
        issue={issueAt('pipelineId') ?? issueOfChoices(error)}
        value={typed.pipelineId}
        onChange={({ currentTarget: { value } }) => set({ pipelineId: value })}
      >
        <option value="" />
        {pipelines?.items
          .filter(({ id }) => id !== ownId)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectField
        label="After"
        value={typed.on}
        onChange={({ currentTarget: { value } }) => set({ on: value as Typed['on'] })}
      >
        <option value="success">each run that succeeds</option>
        <option value="completion">each run, however it ends</option>
      </SelectField>
    </>
  );
}

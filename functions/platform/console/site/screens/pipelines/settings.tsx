import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import type { Pipeline } from '../../data/pipelines.ts';
import { issueIn, issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { MemberPicks } from '../../shell/member-picks.tsx';
import { RecordForm } from '../../shell/record-form.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';

const OVERLAPS = {
  skip: 'is rejected',
  queue: 'waits for its turn',
  cancel_previous: 'cancels the oldest run',
} as const;

const SIZES = {
  '': 'by the size of the inputs',
  small: 'small, 2 GB',
  medium: 'medium, 4 GB',
  large: 'large, 8 GB',
  xlarge: 'extra large, 10 GB',
} as const;

const LABELS = {
  name: 'Name',
  maxConcurrentRuns: 'Runs at the same time',
  onOverlap: { label: 'A start beyond that', write: (value: keyof typeof OVERLAPS) => OVERLAPS[value] },
  size: { label: 'Memory of the steps', write: (value: keyof typeof SIZES) => SIZES[value] },
  recipients: {
    label: 'Emails about failed runs',
    write: (all: readonly string[]) => counted(all.length, 'person', 'people'),
  },
};

interface Typed {
  name: string;
  maxConcurrentRuns: string;
  onOverlap: keyof typeof OVERLAPS;
  size: string;
  recipients: readonly string[];
}

const typedOf = ({ name, concurrency, compute, failureRecipients }: Pipeline): Typed => ({
  name,
  maxConcurrentRuns: String(concurrency.maxConcurrentRuns),
  onOverlap: concurrency.onOverlap as Typed['onOverlap'],
  size: compute?.size ?? '',
  recipients: failureRecipients,
});

/** The name, how runs overlap, their memory, and who hears of failures. */
export function Settings({ pipeline }: { pipeline: Pipeline }) {
  const { id } = pipeline;
  const typed = useSignal(typedOf(pipeline));
  const set = (change: Partial<Typed>) => {
    typed.value = { ...typed.peek(), ...change };
  };
  const edit = useEdit(
    pipeline,
    () => api.pipelines.get(id),
    async (ifMatch) => {
      const { name, maxConcurrentRuns, onOverlap, size, recipients } = typed.peek();
      const body = {
        name: name.trim(),
        concurrency: { maxConcurrentRuns: Number(maxConcurrentRuns), onOverlap },
        ...(size && { compute: { size: size as 'small' } }),
        failureRecipients: [...recipients],
      };
      const saved = await api.pipelines.update(id, body, undefined, { ifMatch });
      await refreshQueries(['pipelines']);
      toast('The settings are saved.');
      return saved;
    },
  );
  const { problem } = edit;
  const { name, maxConcurrentRuns, onOverlap, size, recipients } = typed.value;
  return (
    <Section title="Settings">
      <RecordForm
        action="Save"
        saving={edit}
        fields={['name', 'failureRecipients']}
        differences={(theirs) => differencesOf(typedOf(theirs), typed.value, LABELS)}
        take={(theirs) => {
          typed.value = typedOf(theirs);
          void refreshQueries(['pipelines']);
        }}
      >
        <Field
          label="Name"
          required
          maxLength={200}
          issue={issueOf(problem, 'name')}
          value={name}
          onInput={({ currentTarget: { value } }) => set({ name: value })}
        />
        <Field
          label="Runs at the same time"
          type="number"
          min={1}
          max={10}
          required
          value={maxConcurrentRuns}
          onInput={({ currentTarget: { value } }) => set({ maxConcurrentRuns: value })}
        />
        <SelectField
          label="A start beyond that"
          value={onOverlap}
          onChange={({ currentTarget: { value } }) => set({ onOverlap: value as Typed['onOverlap'] })}
        >
          {Object.entries(OVERLAPS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Memory of the steps"
          value={size}
          onChange={({ currentTarget: { value } }) => set({ size: value })}
        >
          {Object.entries(SIZES).map(([key, label]) => (
            // A size can be changed, but not taken back.
            <option key={key} value={key} disabled={key === '' && pipeline.compute !== null}>
              {label}
            </option>
          ))}
        </SelectField>
        <MemberPicks
          label="Emails about failed runs"
          hint="If the list is empty, the people chosen for the workspace get them."
          issue={issueIn(problem, 'failureRecipients')}
          userIds={recipients}
          change={(next) => set({ recipients: next })}
        />
      </RecordForm>
    </Section>
  );
}

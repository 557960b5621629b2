import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import type { MetricDetails } from '../../data/metrics.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import { Button } from '../../ui/button.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Page } from '../../ui/page.tsx';
import { bodyOf, type Draft, draftOf, FIELDS } from './draft.ts';
import { MetricFields } from './form.tsx';

const LABELS: Readonly<Record<keyof Draft, string>> = {
  name: 'Name',
  description: 'Description',
  modelId: 'Model',
  measureId: 'Measure',
  fieldId: 'Field',
  aggregation: 'Aggregation',
  timeFieldId: 'Time',
  grain: 'Period',
  timezone: 'Time zone',
  direction: 'Better is',
  filters: 'Conditions',
  target: 'Target',
  targetFrom: 'Target from',
  targetBy: 'Target by',
  format: 'Shown as',
  decimals: 'Decimals',
  currency: 'Currency',
  abbreviate: 'Shortened',
  ownerId: 'Owner',
};

/** Changes a metric. What another person has saved meanwhile is shown, not overwritten. */
export function EditMetric({ metric, close }: { metric: MetricDetails; close: () => void }) {
  const draft = useSignal(draftOf(metric));
  const save = useEdit(
    metric,
    () => api.metrics.get(metric.id).then(),
    async (ifMatch) => {
      const saved = await api.metrics.update(metric.id, bodyOf(draft.peek(), metric.format), { ifMatch });
      await refreshQueries(['metrics']);
      return saved;
    },
  );
  const { theirs, problem } = save;
  return (
    <Page title={`Edit ${metric.name}`}>
      <RecordForm
        action="Save"
        saving={save}
        fields={FIELDS}
        saved={close}
        differences={(saved) => differencesOf(draftOf(saved), draft.value, LABELS)}
        take={(saved) => {
          draft.value = draftOf(saved);
        }}
        others={<Button onClick={close}>Cancel</Button>}
      >
        {metric.isCertified && (
          <p class="hint">It is certified. Unless you certify metrics, a change of what it measures ends that.</p>
        )}
        <MetricFields
          draft={draft.value}
          set={(change) => {
            draft.value = { ...draft.peek(), ...change };
          }}
          problem={theirs ? undefined : problem}
        />
      </RecordForm>
    </Page>
  );
}

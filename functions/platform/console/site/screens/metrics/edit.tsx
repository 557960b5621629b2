import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import type { MetricDetails } from '../../data/metrics.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { bodyOf, type Draft, draftOf } from './draft.ts';
import { MetricFields } from './form.tsx';
import { unshown } from './issues.ts';

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
  const submit = async (saving: Promise<boolean>) => {
    if (await saving) close();
  };
  return (
    <Page title={`Edit ${metric.name}`}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(save.run());
        }}
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
        {theirs ? (
          <Changed
            differences={differencesOf(draftOf(theirs), draft.value, LABELS)}
            keepMine={() => void submit(save.keepMine())}
            takeTheirs={() => {
              draft.value = draftOf(theirs);
              save.takeTheirs();
            }}
          />
        ) : (
          <Issue problem={unshown(problem)} />
        )}
        <div class="actions">
          {!theirs && (
            <Button type="submit" look="main" isBusy={save.isRunning}>
              Save
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Page>
  );
}

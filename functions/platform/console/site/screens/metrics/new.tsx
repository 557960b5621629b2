import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { isTime, useMeasures, useTables } from '../../data/models.ts';
import { refreshQueries } from '../../data/query.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { homeZone } from '../../ui/schedule-fields.tsx';
import { bodyOf, type Draft, FIELDS, newDraft } from './draft.ts';
import { MetricFields } from './form.tsx';

/** Defines a metric, by default of the model that the address names. */
export default function NewMetric({ query: { model = '', measure = '' } }: ScreenProps) {
  const { route } = useLocation();
  const draft = useSignal({ ...newDraft(model, homeZone()), measureId: measure });
  useDefaults(draft);
  const create = useAction(async () => {
    const { id } = await api.metrics.create(bodyOf(draft.peek()));
    await refreshQueries(['metrics', 'list']);
    route(to(`/metrics/${id}`));
  });
  return (
    <Page title="New metric" lead="A metric is a measure of a model that is followed over time.">
      <RecordForm
        action="Create"
        saving={create}
        fields={FIELDS}
        others={
          <Link to="/metrics" class="button">
            Cancel
          </Link>
        }
      >
        <MetricFields
          draft={draft.value}
          set={(change) => {
            draft.value = { ...draft.peek(), ...change };
          }}
          problem={create.problem}
        />
      </RecordForm>
    </Page>
  );
}

/** Names the metric as its measure, and chooses the time of a model that has one alone. */
function useDefaults(draft: Signal<Draft>): void {
  const { modelId, measureId, timeFieldId } = draft.value;
  const { data: tables } = useTables(modelId);
  const { data: measures } = useMeasures(modelId);
  const own = useRef('');
  const measureName = measures?.find(({ id }) => id === measureId)?.name;
  useEffect(() => {
    const { name } = draft.peek();
    if (measureName === undefined || (name !== '' && name !== own.current)) return;
    own.current = measureName;
    draft.value = { ...draft.peek(), name: measureName };
  }, [measureName]);
  const times = tables?.flatMap(({ fields }) => fields.filter(isTime)) ?? [];
  const time = times.length === 1 && timeFieldId === '' ? times[0]!.id : undefined;
  useEffect(() => {
    if (time !== undefined) draft.value = { ...draft.peek(), timeFieldId: time };
  }, [time]);
}

import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { homeZone } from '../../ui/schedule-fields.tsx';
import { bodyOf, FIELDS, newDraft } from './draft.ts';
import { MetricFields } from './form.tsx';

/** Defines a metric, by default of the model that the address names. */
export default function NewMetric({ query: { model = '', measure = '' } }: ScreenProps) {
  const { route } = useLocation();
  const draft = useSignal({ ...newDraft(model, homeZone()), measureId: measure });
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

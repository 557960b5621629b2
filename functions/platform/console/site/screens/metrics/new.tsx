import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { homeZone } from '../../ui/schedule-fields.tsx';
import { Issue } from '../../ui/states.tsx';
import { bodyOf, newDraft } from './draft.ts';
import { MetricFields } from './form.tsx';
import { unshown } from './issues.ts';

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
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <MetricFields
          draft={draft.value}
          set={(change) => {
            draft.value = { ...draft.peek(), ...change };
          }}
          problem={create.problem}
        />
        <Issue problem={unshown(create.problem)} />
        <div class="actions">
          <Button type="submit" look="main" isBusy={create.isRunning}>
            Create
          </Button>
          <Link to="/metrics" class="button">
            Cancel
          </Link>
        </div>
      </form>
    </Page>
  );
}

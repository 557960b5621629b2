import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { conditionOfMetric } from './condition-form.tsx';
import { AlertFields, bodyOf, EMPTY_DRAFT, scheduleFieldsOf } from './form.tsx';

/** A new alert, of the metric that the address names. Viewers make them for themselves. */
export default function NewAlert({ query: { metric = '' } }: ScreenProps) {
  const { route } = useLocation();
  const isEditor = hasRole(useMe().data, 'editor');
  const draft = useSignal(metric ? { ...EMPTY_DRAFT, condition: conditionOfMetric(metric) } : EMPTY_DRAFT);
  const schedule = useSignal(scheduleFieldsOf(undefined));
  const create = useAction(async () => {
    const { channels, ...body } = bodyOf(draft.peek(), schedule.peek(), undefined);
    const { id } = await api.alerts.create({ ...body, ...(isEditor && channels && { channels }) });
    await refreshQueries(['alerts']);
    route(to(`/alerts/${id}`), true);
  });
  return (
    <Page title="New alert" lead="It notifies people once when the condition is met, and once when it is over.">
      <AlertFields
        draft={draft}
        schedule={schedule}
        problem={create.problem}
        canNotifyOthers={isEditor}
        submit={() => create.run()}
      >
        <Button type="submit" look="main" isBusy={create.isRunning}>
          Create the alert
        </Button>
        <Link to="/alerts" class="button">
          Cancel
        </Link>
      </AlertFields>
    </Page>
  );
}

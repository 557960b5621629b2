import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { Page } from '../../ui/page.tsx';
import { bodyOf, DigestFields, type Draft, scheduleFieldsOf } from './digest-form.tsx';

/** A new digest, at first for the person who makes it. */
export default function NewDigest() {
  const { route } = useLocation();
  const me = useMe().data;
  const draft = useSignal<Draft>({
    name: '',
    metricIds: [],
    recipientIds: me ? [me.user.id] : [],
    ownerId: '',
    isActive: true,
  });
  const schedule = useSignal(scheduleFieldsOf(undefined));
  const create = useAction(async () => {
    const { id } = await api.metrics.createDigest(bodyOf(draft.peek(), schedule.peek()));
    await refreshQueries(['metrics', 'digests']);
    route(to(`/metrics/digests/${id}`), true);
  });
  return (
    <Page title="New digest" lead="Metrics by email on a schedule.">
      <DigestFields
        draft={draft}
        schedule={schedule}
        action="Create the digest"
        problem={create.problem}
        isBusy={create.isRunning}
        submit={() => create.run()}
      />
    </Page>
  );
}

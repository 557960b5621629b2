import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useFirstTry } from '../../data/first-try.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { type Webhook, watchDeliveries } from '../../data/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

const LAST_LISTED = 9_999;
const MINUTE_MS = 60_000;

/** How many deliveries have failed, and when the first of them was made. */
async function readFailed(id: string): Promise<{ total: number; since: string | undefined }> {
  const { items, total } = await api.webhooks.listDeliveries(id, { status: 'failed', limit: 1 });
  if (total <= 1) return { total, since: items[0]?.createdAt };
  const offset = Math.min(total - 1, LAST_LISTED);
  const last = await api.webhooks.listDeliveries(id, { status: 'failed', limit: 1, offset });
  return { total, since: last.items[0]?.createdAt ?? items[0]?.createdAt };
}

/** An earlier try may have turned it on. */
async function turnOn(id: string): Promise<void> {
  const { enabled, revision } = await api.webhooks.get(id);
  if (!enabled) await api.webhooks.update(id, { enabled: true }, { ifMatch: revision });
}

/** The value of a field for a moment, in the time of the browser. */
function localTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

/** Sends what failed since a time again. Turns the webhook on first if it is off, because nothing is sent then. */
export function Replay({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const { id, enabled } = webhook;
  const failed = useQuery(['webhooks', id, 'failed'], () => readFailed(id));
  const since = failed.data?.since;
  const from = useSignal('');
  useEffect(() => {
    if (since !== undefined && from.peek() === '') from.value = localTime(new Date(since));
  }, [since]);
  const firstTry = useFirstTry();
  const replay = useAction(async () => {
    if (!enabled) await turnOn(id);
    const period = { from: new Date(from.peek()).toISOString(), to: new Date(firstTry.at()).toISOString() };
    await api.webhooks.replayDeliveries(id, period);
    firstTry.end();
    watchDeliveries();
    toast('The replay has started.');
    await refreshQueries(['webhooks']);
  });
  if (!failed.data || since === undefined) {
    return (
      <Dialog title="Replay failed deliveries" close={close}>
        {failed.error ? (
          <Failed problem={problemOf(failed.error)} retry={failed.refresh} />
        ) : failed.data ? (
          <p>No delivery has failed in the last 30 days.</p>
        ) : (
          <Loading rows={2} />
        )}
      </Dialog>
    );
  }
  const { total } = failed.data;
  return (
    <Dialog
      title="Replay failed deliveries"
      action={enabled ? 'Replay' : 'Turn on and replay'}
      submit={() => replay.run()}
      isBusy={replay.isRunning}
      problem={replay.problem}
      close={close}
    >
      <p>
        {counted(total, 'delivery', 'deliveries')} failed in the last 30 days. Those of events since the time below are
        sent again, with the same ids and bodies.
      </p>
      <Field
        label="Since"
        type="datetime-local"
        required
        max={localTime(new Date())}
        value={from.value}
        onInput={({ currentTarget }) => {
          from.value = currentTarget.value;
        }}
      />
    </Dialog>
  );
}

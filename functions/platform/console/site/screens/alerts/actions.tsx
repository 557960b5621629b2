import { useAction } from '../../data/action.ts';
import type { Alert } from '../../data/alerts.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

const HOUR_MS = 60 * 60 * 1000;
const SNOOZES = [
  ['1 hour', HOUR_MS],
  ['4 hours', 4 * HOUR_MS],
  ['1 day', 24 * HOUR_MS],
  ['1 week', 7 * 24 * HOUR_MS],
] as const;

/** What the person may do with the alert: its notifications are everyone's own. */
export function Actions({ alert: { id, mayEdit, status, isRecipient, snoozedUntil } }: { alert: Alert }) {
  const act = useAction(async (work: () => Promise<unknown>, done: string) => {
    await work();
    await refreshQueries(['alerts', id]);
    toast(done);
  });
  const run = useAction(async () => {
    const { at } = await api.alerts.run(id);
    toast('The evaluation has started.');
    await untilEvaluated(id, at);
    await refreshQueries(['alerts']);
  });
  const snooze = (whom: 'everyone' | 'me', label: string, ms: number) => ({
    label: `${label}, for ${whom}`,
    run: () =>
      void act.run(
        () => api.alerts.snooze(id, { until: new Date(Date.now() + ms).toISOString(), for: whom }),
        `Snoozed for ${label}.`,
      ),
  });
  const wake = (whom: 'everyone' | 'me') => ({
    label: `End the snooze, for ${whom}`,
    run: () => void act.run(() => api.alerts.snooze(id, { until: null, for: whom }), 'The snooze has ended.'),
  });
  return (
    <>
      {mayEdit && status === 'active' && (
        <Button icon="play" isBusy={run.isRunning} onClick={() => void run.run()}>
          Evaluate now
        </Button>
      )}
      {isRecipient ? (
        <Button
          isBusy={act.isRunning}
          onClick={() => void act.run(() => api.alerts.unfollow(id), 'You are no longer notified.')}
        >
          Stop notifying me
        </Button>
      ) : (
        <Button
          icon="bell"
          isBusy={act.isRunning}
          onClick={() => void act.run(() => api.alerts.follow(id), 'You are notified from now on.')}
        >
          Notify me
        </Button>
      )}
      <Menu
        isRight
        choices={[
          mayEdit ? SNOOZES.map(([label, ms]) => snooze('everyone', label, ms)) : [],
          SNOOZES.map(([label, ms]) => snooze('me', label, ms)),
          [...(mayEdit && snoozedUntil !== null ? [wake('everyone')] : []), wake('me')],
        ]}
      >
        Snooze <Icon name="chevron-down" size={14} />
      </Menu>
      <Issue problem={act.problem ?? run.problem} />
    </>
  );
}

const POLL_MS = 1_000;
const MAX_POLLS = 20;

/** Waits for an evaluation that may take a moment; those that take longer are shown later by themselves. */
async function untilEvaluated(id: string, at: string): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const { evaluatedAt } = await api.alerts.get(id);
    if (evaluatedAt !== null && evaluatedAt >= at) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { type Alert, type Condition, conditionInWords, useModelOf } from '../../data/alerts.ts';
import { api, type Types } from '../../data/client.ts';
import { conditionText } from '../../data/conditions.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useNames } from '../../data/members.ts';
import { fieldName } from '../../data/models.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import { DeleteButton } from '../../shell/delete-record.tsx';
import { targetDraftsOf } from '../../shell/deliveries/targets.tsx';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { counted } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { scheduleOf } from '../../ui/schedule.ts';
import { Issue } from '../../ui/states.tsx';
import { AlertFields, bodyOf, type Draft, draftOf, scheduleFieldsOf } from './form.tsx';
import { repeatInWords } from './repeat.tsx';
import { isToShareAgain, runAsInWords } from './rights.tsx';

const LABELS = {
  name: 'Name',
  condition: { label: 'Condition', write: (value: Condition) => conditionInWords(value, (_kind, id) => id) },
  severity: 'Severity',
  onRefresh: 'Evaluate after new data',
  recipients: {
    label: 'Recipients',
    write: (all: Draft['recipients']) => counted(all.length, 'person or group', 'people and groups'),
  },
  addresses: 'Addresses',
  event: 'Send the event',
  targets: { label: 'Channels', write: (all: Draft['targets']) => all.map(targetInWords).join(', ') || 'none' },
  repeat: { label: 'Notify again', write: repeatInWords },
  others: 'Other settings',
  runAs: { label: 'Everyone is notified of', write: runAsInWords },
  shareRows: 'Share rows that the recipients may not see',
};

const targetInWords = ({ kept, name, type, url }: Draft['targets'][number]): string =>
  [name || type, url !== '' && kept && 'with another address'].filter(Boolean).join(' ');

const filtersOf = (condition: Condition) => ({
  filters: condition.kind === 'metric' ? (condition.filters ?? []) : [],
});

/** The condition, the times, and the people of an alert. */
export function Settings({ alert }: { alert: Alert }) {
  const { id, isActive } = alert;
  const { route } = useLocation();
  const isEditor = hasRole(useMe().data, 'editor');
  const names = useNames();
  const draft = useSignal(draftOf(alert));
  const schedule = useSignal(scheduleFieldsOf(alert));
  const revision = useSignal(alert.revision);
  /** What the draft began with: `alert` is read again meanwhile. */
  const base = useSignal(alert);
  const isToShare = isToShareAgain(alert);
  useEffect(() => {
    if (!isToShare) return;
    // The mark no longer holds: with the next change it would share the rows anew.
    base.value = { ...base.peek(), error: alert.error };
    draft.value = { ...draft.peek(), shareRows: false };
  }, [isToShare]);
  const edit = useEdit(
    alert,
    () => api.alerts.get(id),
    async (ifMatch) => {
      const { channels, scheduleCron, ...body } = bodyOf(draft.peek(), schedule.peek(), base.peek());
      const saved = await api.alerts.update(
        id,
        { ...body, scheduleCron: scheduleCron ?? null, ...(isEditor && channels && { channels }) } as never,
        { ifMatch },
      );
      // What was entered of secrets and addresses is stored, and not kept in the form.
      draft.value = { ...draft.peek(), targets: targetDraftsOf(saved.channels.targets) };
      base.value = saved;
      await refreshQueries(['alerts']);
      return saved;
    },
    revision,
  );
  const pause = useAction(async () => {
    revision.value = (await api.alerts.update(id, { isActive: !isActive }, { ifMatch: revision.peek() })).revision;
    await refreshQueries(['alerts']);
  });
  const { theirs } = edit;
  const { tables } = useModelOf(draft.value.condition);
  return (
    <>
      <AlertFields
        draft={draft}
        base={alert}
        schedule={schedule}
        problem={edit.problem}
        canNotifyOthers={isEditor}
        submit={() => edit.run()}
        conflict={
          theirs && (
            <Changed
              differences={[
                ...differencesOf(draftOf(theirs), draft.value, {
                  ...LABELS,
                  ownerId: { label: 'Owner', write: (id: string) => names?.get(id) ?? 'a former member' },
                }),
                ...differencesOf(filtersOf(theirs.condition), filtersOf(draft.value.condition), {
                  filters: {
                    label: 'Only rows where',
                    write: (all: readonly Types.QuestionCondition[]) =>
                      all.map((each) => conditionText(each, (of) => fieldName(tables, of) ?? of)).join(' and ') ||
                      'all rows',
                  },
                }),
                ...differencesOf(
                  { cron: theirs.scheduleCron },
                  { cron: scheduleOf(schedule.value).cron ?? null },
                  { cron: 'Schedule' },
                ),
              ]}
              keepMine={() => {
                base.value = theirs;
                void edit.keepMine();
              }}
              takeTheirs={() => {
                base.value = theirs;
                draft.value = draftOf(theirs);
                schedule.value = scheduleFieldsOf(theirs);
                edit.takeTheirs();
                void refreshQueries(['alerts']);
              }}
            />
          )
        }
      >
        <Button type="submit" look="main" isBusy={edit.isRunning}>
          Save
        </Button>
      </AlertFields>
      <Section title="Stop">
        <p class="hint">A paused alert is not evaluated. A deleted one loses its history too.</p>
        <div class="actions">
          <Button
            icon={isActive ? 'pause' : 'play'}
            // The revision is known once what is being saved is stored.
            disabled={edit.isRunning}
            isBusy={pause.isRunning}
            onClick={() => void pause.run()}
          >
            {isActive ? 'Pause' : 'Continue'}
          </Button>
          <DeleteButton
            noun="alert"
            what={`“${alert.name}”`}
            remove={async () => {
              await api.alerts.delete(id, { ifMatch: alert.revision });
              forget({ type: 'alert', id });
              await refreshQueries(['alerts']);
              route(to('/alerts'));
            }}
          >
            The alert, its states and its history are deleted. This cannot be undone.
          </DeleteButton>
        </div>
        <Issue problem={pause.problem} />
      </Section>
    </>
  );
}

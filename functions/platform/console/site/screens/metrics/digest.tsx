import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { reasonText } from '../../data/deliveries.ts';
import { type Digest, type DigestRun, stateOf, useDigest, useMetricNames } from '../../data/digests.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useNames } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget, useRecent } from '../../data/recent.ts';
import { started } from '../../data/started.ts';
import { useEdit } from '../../data/versioned.ts';
import { DeleteSection } from '../../shell/delete-record.tsx';
import { RUN_STATES } from '../../shell/deliveries/run-states.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { Theirs } from '../../shell/record-form.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { counted } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { scheduleDifferences } from '../../ui/schedule-fields.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { bodyOf, DigestFields, draftOf, scheduleFieldsOf } from './digest-form.tsx';

const EVERY_MS = 5_000;

/** One digest: what it sends, to whom, and what became of it. */
export default function DigestScreen({ params: { id = '' } }: ScreenProps) {
  const { data: digest, error, refresh } = useDigest(id);
  const canEdit = hasRole(useMe().data, 'editor');
  const name = digest?.name;
  useRecent('digest', id, name, error);
  if (!digest) return error ? <Failed isPage problem={problemOf(error)} retry={refresh} /> : <Loading isPage />;
  const tabs = [{ id: 'sent', label: 'What is sent' }, ...(canEdit ? [{ id: 'settings', label: 'Settings' }] : [])];
  return (
    <Page
      title={digest.name}
      mark={<Status {...stateOf(digest)} />}
      lead={`${scheduleInWords(digest)}, to ${counted(digest.recipientIds.length, 'person', 'people')}`}
      actions={canEdit && <Send digest={digest} />}
    >
      <Tabs label="Parts of the digest" tabs={tabs}>
        {(tab) => (tab === 'settings' ? <Settings key={id} digest={digest} /> : <Sent digest={digest} />)}
      </Tabs>
    </Page>
  );
}

function Send({ digest: { id, name } }: { digest: Digest }) {
  const send = useAction(async () => {
    await started(api.metrics.sendDigest(id));
    await refreshQueries(['metrics', 'digests', id]);
    toast(`${name} is on its way.`);
  });
  return (
    <>
      <Button icon="play" look="main" isBusy={send.isRunning} onClick={() => void send.run()}>
        Send now
      </Button>
      <Issue problem={send.problem} />
    </>
  );
}

function Sent({ digest }: { digest: Digest }) {
  const metrics = useMetricNames(digest.metricIds);
  const names = useNames();
  const runs = useQuery(
    ['metrics', 'digests', digest.id, 'runs'],
    async () => (await api.metrics.listDigestRuns(digest.id, { limit: 20 })).items,
    { everyMs: EVERY_MS },
  );
  return (
    <div class="metric">
      <Section title="Metrics">
        <ol>
          {digest.metricIds.map((id) => (
            <li key={id}>
              {metrics?.has(id) ? (
                <ObjectLink type="metric" id={id} name={metrics.get(id)!} />
              ) : (
                <span class="hint">{metrics ? 'a metric that you cannot see' : '…'}</span>
              )}
            </li>
          ))}
        </ol>
      </Section>
      <Section title="Recipients">
        {digest.recipientIds.length === 0 ? (
          <p class="hint">It has no recipients.</p>
        ) : (
          <p>{digest.recipientIds.map((id) => names?.get(id) ?? '…').join(', ')}</p>
        )}
      </Section>
      <Section title="Runs in the last 90 days">
        {!runs.data && (runs.error ? <Failed problem={problemOf(runs.error)} retry={runs.refresh} /> : <Loading />)}
        {runs.data?.length === 0 && <p class="hint">It has not been sent yet.</p>}
        {runs.data && runs.data.length > 0 && (
          <ul class="list delivery-runs">
            {runs.data.map((run) => (
              <li key={run.id}>
                <Run run={run} names={names} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

interface RunProps {
  run: DigestRun;
  names: ReadonlyMap<string, string> | undefined;
}

/** A run; what each recipient got is read when it is opened. */
function Run({ run: { id, digestId, status, reason, trigger, createdAt, recipientCount }, names }: RunProps) {
  const [isOpen, open] = useState(false);
  const { data, error, refresh } = useQuery(
    ['metrics', 'digests', digestId, 'runs', id],
    () => api.metrics.getDigestRun(digestId, id),
    { enabled: isOpen, everyMs: status === 'queued' && EVERY_MS },
  );
  return (
    <details onToggle={({ currentTarget }) => open((currentTarget as HTMLDetailsElement).open)}>
      <summary>
        <Status kind={RUN_STATES[status] ?? 'skipped'} label={status} /> <Ago at={createdAt} /> to{' '}
        {counted(recipientCount, 'person', 'people')}
        {trigger.kind === 'manual' && <span class="hint"> started by hand</span>}
        {reason && <span class="hint"> {reasonText(reason)}</span>}
      </summary>
      {isOpen && !data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      {data && (
        <ul>
          {data.mails.map((mail) => (
            <li key={mail.userId}>
              {names?.get(mail.userId) ?? 'a former member'}: {mail.status} <span class="hint">{detailsOf(mail)}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

const detailsOf = ({ reason, leftOutCount }: Types.DigestMail): string =>
  reasonText(reason) || (leftOutCount > 0 ? `without ${counted(leftOutCount, 'metric')} that they may not see` : '');

function Settings({ digest }: { digest: Digest }) {
  const { route } = useLocation();
  const { id } = digest;
  const draft = useSignal(draftOf(digest));
  const schedule = useSignal(scheduleFieldsOf(digest));
  const edit = useEdit(
    digest,
    () => api.metrics.getDigest(id).then(),
    async (ifMatch) => {
      const saved = await api.metrics.updateDigest(id, bodyOf(draft.peek(), schedule.peek()), { ifMatch });
      await refreshQueries(['metrics', 'digests']);
      toast('The digest is saved.');
      return saved;
    },
  );
  const { theirs } = edit;
  const names = useNames();
  const metrics = useMetricNames([...new Set([...(theirs?.metricIds ?? []), ...draft.value.metricIds])]);
  const written = (of: ReadonlyMap<string, string> | undefined) => (ids: readonly string[]) =>
    ids.map((each) => of?.get(each) ?? '…').join(', ') || 'none';
  return (
    <div class="metric">
      <Section title="The digest">
        <DigestFields
          draft={draft}
          schedule={schedule}
          action="Save"
          problem={edit.problem}
          isBusy={edit.isRunning}
          submit={() => edit.run()}
          conflict={
            theirs && (
              <Theirs
                saving={edit}
                differences={(saved) => [
                  ...differencesOf(draftOf(saved), draft.value, {
                    name: 'Name',
                    metricIds: { label: 'Metrics', write: written(metrics) },
                    recipientIds: { label: 'Recipients', write: written(names) },
                    ownerId: { label: 'Owner', write: (each: string) => names?.get(each) ?? 'a former member' },
                    isActive: 'Active',
                  }),
                  ...scheduleDifferences(scheduleFieldsOf(saved), schedule.value),
                ]}
                take={(saved) => {
                  draft.value = draftOf(saved);
                  schedule.value = scheduleFieldsOf(saved);
                  void refreshQueries(['metrics', 'digests']);
                }}
              />
            )
          }
        />
      </Section>
      <DeleteSection
        noun="digest"
        what={`“${digest.name}”`}
        hint="It is no longer sent. Its metrics stay."
        remove={async () => {
          await api.metrics.deleteDigest(id, { ifMatch: digest.revision });
          forget({ type: 'digest', id });
          route(to('/metrics/digests'));
          await refreshQueries(['metrics', 'digests']);
        }}
      >
        The digest and its runs are deleted. This cannot be undone.
      </DeleteSection>
    </div>
  );
}

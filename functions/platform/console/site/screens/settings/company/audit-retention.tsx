import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { bound } from '../../../ui/bound.ts';
import { Changed } from '../../../ui/changed.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

/** How long the audit log of the company is kept. */
export function AuditRetention() {
  const { data, error, refresh } = useQuery(['audit', 'settings'], () => api.auditLog.getSettings());
  return (
    <Section title="Audit log">
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      {data && <RetentionForm key={data.revision} settings={data} />}
    </Section>
  );
}

function RetentionForm({ settings }: { settings: Types.AuditSettings }) {
  const days = useSignal(String(settings.retentionDays));
  const edit = useEdit(
    settings,
    () => api.auditLog.getSettings(),
    async (ifMatch) => {
      const saved = await api.auditLog.putSettings({ retentionDays: Number(days.peek()) }, { ifMatch });
      await refreshQueries(['audit', 'settings']);
      toast('The audit log settings are saved.');
      return saved;
    },
  );
  const { theirs, problem } = edit;
  return (
    <Form
      action="Save"
      look={undefined}
      submit={() => edit.run()}
      isBusy={edit.isRunning}
      problem={problem}
      instead={
        theirs && (
          <Changed
            differences={differencesOf(theirs, { retentionDays: Number(days.value) }, { retentionDays: 'Days' })}
            keepMine={() => void edit.keepMine()}
            takeTheirs={() => {
              days.value = String(theirs.retentionDays);
              edit.takeTheirs();
            }}
          />
        )
      }
    >
      <Field
        label="Days to keep entries"
        type="number"
        required
        min={1}
        hint="A shorter time hides older entries immediately. A longer one applies to new entries."
        issue={issueOf(problem, 'retentionDays')}
        {...bound(days)}
      />
    </Form>
  );
}

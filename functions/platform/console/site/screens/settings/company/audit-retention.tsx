import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { RecordForm } from '../../../shell/record-form.tsx';
import { bound } from '../../../ui/bound.ts';
import { differencesOf } from '../../../ui/differences.ts';
import { Field } from '../../../ui/field.tsx';
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
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={['retentionDays']}
      differences={(theirs) => differencesOf(theirs, { retentionDays: Number(days.value) }, { retentionDays: 'Days' })}
      take={(theirs) => {
        days.value = String(theirs.retentionDays);
      }}
    >
      <Field
        label="Days to keep entries"
        type="number"
        required
        min={1}
        hint="A shorter time hides older entries immediately. A longer one applies to new entries."
        issue={issueOf(edit.problem, 'retentionDays')}
        {...bound(days)}
      />
    </RecordForm>
  );
}

import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { RecordForm } from '../../../shell/record-form.tsx';
import { bound } from '../../../ui/bound.ts';
import { differencesOf } from '../../../ui/differences.ts';
import { Field } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';

export function CompanyName({ company }: { company: Types.Company }) {
  const name = useSignal(company.name);
  const edit = useEdit(
    company,
    () => api.company.get(),
    async (ifMatch) => {
      const saved = await api.company.update({ name: name.peek().trim() }, { ifMatch });
      await refreshQueries(['company']);
      toast('The company name is saved.');
      return saved;
    },
  );
  return (
    <Section title="Company">
      <RecordForm
        action="Save"
        saving={edit}
        fields={['name']}
        differences={(theirs) => differencesOf(theirs, { name: name.value }, { name: 'Name' })}
        take={(theirs) => {
          name.value = theirs.name;
        }}
      >
        <Field label="Company name" required maxLength={200} issue={issueOf(edit.problem, 'name')} {...bound(name)} />
      </RecordForm>
    </Section>
  );
}

import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { bound } from '../../../ui/bound.ts';
import { Changed } from '../../../ui/changed.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
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
  const { theirs, problem } = edit;
  return (
    <Section title="Company">
      <Form
        action="Save"
        submit={() => edit.run()}
        isBusy={edit.isRunning}
        problem={problem}
        instead={
          theirs && (
            <Changed
              differences={differencesOf(theirs, { name: name.value }, { name: 'Name' })}
              keepMine={() => void edit.keepMine()}
              takeTheirs={() => {
                name.value = theirs.name;
                edit.takeTheirs();
              }}
            />
          )
        }
      >
        <Field label="Company name" required maxLength={200} issue={issueOf(problem, 'name')} {...bound(name)} />
      </Form>
    </Section>
  );
}

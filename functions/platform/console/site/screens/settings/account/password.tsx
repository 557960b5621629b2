import { useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api } from '../../../data/client.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { NewPassword } from '../../../ui/new-password.tsx';
import { Section } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';

export function Password() {
  const current = useSignal('');
  const next = useSignal('');
  const change = useAction(async () => {
    await api.auth.changePassword({ currentPassword: current.peek(), newPassword: next.peek() });
    current.value = '';
    next.value = '';
    await refreshQueries(['sign-ins']);
    toast('Your password has been changed. All your other sign-ins have ended.');
  });
  return (
    <Section title="Password">
      <Form action="Change the password" submit={() => change.run()} isBusy={change.isRunning} problem={change.problem}>
        <Field label="Current password" type="password" autocomplete="current-password" required {...bound(current)} />
        <NewPassword value={next} issue={issueOf(change.problem, 'newPassword')} />
      </Form>
    </Section>
  );
}

import { useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api } from '../../../data/client.ts';
import type { Me } from '../../../data/me.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';

/** The name, the language and the time zone of a person. */
export function Profile({ me: { user, language, timezone } }: { me: Me }) {
  const draft = useSignal({ name: user.name, language: language ?? '', timezone: timezone ?? '' });
  const save = useAction(async () => {
    const { name, ...others } = draft.peek();
    await api.auth.changeProfile({
      name: name.trim(),
      language: others.language.trim() || null,
      timezone: others.timezone.trim() || null,
    });
    await refreshQueries(['me']);
    toast('Your profile is saved.');
  });
  const member = (name: keyof typeof draft.value) => ({
    value: draft.value[name],
    issue: issueOf(save.problem, name),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      draft.value = { ...draft.peek(), [name]: currentTarget.value };
    },
  });
  return (
    <Section title="Profile">
      <Form action="Save" submit={() => save.run()} isBusy={save.isRunning} problem={save.problem}>
        <Field label="Name" required maxLength={200} autocomplete="name" {...member('name')} />
        <Field label="Email" value={user.email} readOnly hint="Your identity provider or a company admin changes it." />
        <Field label="Language" placeholder="en" hint="Such as en or de-CH." {...member('language')} />
        <Field
          label="Time zone"
          list="time-zones"
          placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone}
          hint="Your own; schedules and dashboards have theirs."
          {...member('timezone')}
        />
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </Form>
    </Section>
  );
}

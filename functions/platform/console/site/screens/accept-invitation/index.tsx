import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { publicApi, type Types } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Field } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { takeToken } from '../../ui/token.ts';

/**
 * Where the link of an invitation leads. People with an account join with it; the API asks for a name and a password
 * only if they are needed.
 */
export default function AcceptInvitation() {
  const token = useMemo(takeToken, []);
  const hasAccount = useSignal(false);
  const name = useSignal('');
  const password = useSignal('');
  const joined = useSignal<Types.AcceptedInvitation | undefined>(undefined);
  const action = useAction(async () => {
    const account = hasAccount.value ? {} : { name: name.value.trim(), password: password.value };
    joined.value = await publicApi.auth.acceptInvitation({ token, ...account });
  });
  const signIn = <Link to="/sign-in">Go to sign-in</Link>;
  if (joined.value) {
    const { workspaceName, email } = joined.value;
    return (
      <Entry title={`You have joined ${workspaceName}`} hint={`Sign in with ${email} to start.`} others={signIn} />
    );
  }
  if (token === '') {
    return (
      <Entry
        title="This link is incomplete"
        hint="Open the link in the email again, or ask for another invitation."
        others={signIn}
      />
    );
  }
  const change = (value: boolean) => {
    hasAccount.value = value;
    action.clear();
  };
  return (
    <Entry
      key={String(hasAccount.value)}
      title="Accept the invitation"
      hint={
        hasAccount.value
          ? 'You join with your account. Its name and password do not change.'
          : 'Choose your name and a password.'
      }
      action="Join"
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem}
      others={
        <Button look="plain" onClick={() => change(!hasAccount.value)}>
          {hasAccount.value ? 'I need an account or a new password' : 'I already have an account'}
        </Button>
      }
    >
      {!hasAccount.value && (
        <>
          <Field
            label="Name"
            name="name"
            autocomplete="name"
            required
            maxLength={200}
            issue={issueOf(action.problem, 'name')}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
          <NewPassword label="Password" value={password} issue={issueOf(action.problem, 'password')} />
        </>
      )}
    </Entry>
  );
}

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { publicApi } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { Entry } from '../../ui/entry.tsx';
import { Link } from '../../ui/link.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { takeToken } from '../../ui/token.ts';

/** Where the link of the mail for a forgotten password leads. */
export default function ResetPassword() {
  const token = useMemo(takeToken, []);
  const password = useSignal('');
  const isDone = useSignal(false);
  const action = useAction(async () => {
    await publicApi.auth.resetPassword({ token, newPassword: password.value });
    isDone.value = true;
  });
  const signIn = <Link to="/sign-in">Go to sign-in</Link>;
  if (isDone.value) {
    return (
      <Entry
        title="Your password has been changed"
        hint="You have been signed out everywhere. Sign in with the new password."
        others={signIn}
      />
    );
  }
  if (token === '') {
    return (
      <Entry
        title="This link is incomplete"
        hint="Open the link in the email again, or request another one on the sign-in page."
        others={signIn}
      />
    );
  }
  return (
    <Entry
      title="Choose a new password"
      action="Change the password"
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem}
      others={signIn}
    >
      <NewPassword value={password} issue={issueOf(action.problem, 'newPassword')} />
    </Entry>
  );
}

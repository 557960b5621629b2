import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { publicApi } from '../../data/client.ts';
import { Entry } from '../../ui/entry.tsx';
import { Link } from '../../ui/link.tsx';
import { takeToken } from '../../ui/token.ts';

/** Where the link of the mail about a changed address leads. Only the button confirms: programs open links too. */
export default function ConfirmEmail() {
  const token = useMemo(takeToken, []);
  const isDone = useSignal(false);
  const action = useAction(async () => {
    await publicApi.auth.confirmEmailByMail({ token });
    isDone.value = true;
  });
  const home = <Link to="/">Go to the console</Link>;
  if (isDone.value) return <Entry title="Your address is confirmed" others={home} />;
  if (token === '') {
    return <Entry title="This link is incomplete" hint="Open the link in the email again." others={home} />;
  }
  return (
    <Entry
      title="Confirm the address"
      hint="The address of your account was changed. Confirm it if the new one is yours."
      action="Confirm"
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem}
      others={home}
    />
  );
}

import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { publicApi } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';
import { counted } from '../../ui/format.ts';

/** Sends the mail whose link leads to the page for a new password. */
export function AskReset({ email, back }: { email: string; back(): void }) {
  const minutes = useSignal<number | undefined>(undefined);
  const action = useAction(async () => {
    const { expiresInSeconds } = await publicApi.auth.forgotPassword({ email });
    minutes.value = Math.round(expiresInSeconds / 60);
  });
  const others = (
    <Button look="plain" onClick={back}>
      Back to sign-in
    </Button>
  );
  if (minutes.value !== undefined) {
    return (
      <Entry
        title="Check your email"
        hint={`If ${email} has an account, an email with a link is on its way. The link works once, within ${counted(minutes.value, 'minute')}.`}
        others={others}
      />
    );
  }
  return (
    <Entry
      title="Forgot password"
      hint={`We will send a link to ${email} for choosing a new password.`}
      action="Send the link"
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem}
      others={others}
    />
  );
}

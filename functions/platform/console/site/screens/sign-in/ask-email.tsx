import type { Signal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { HAS_PASSKEYS, type Next, signInWithPasskey, type Way, wayOf } from '../../data/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Field } from '../../ui/field.tsx';

interface AskEmailProps {
  email: Signal<string>;
  ask(way: Way): void;
  proceed(next: Next): void;
}

export function AskEmail({ email, ask, proceed }: AskEmailProps) {
  const find = useAction(async () => ask(await wayOf(email.value.trim())));
  const passkey = useAction(async () => proceed(await signInWithPasskey()));
  return (
    <Entry
      title="Sign in"
      action="Continue"
      submit={find.run}
      isBusy={find.isRunning}
      problem={find.problem ?? passkey.problem}
      others={
        HAS_PASSKEYS && (
          <Button look="plain" icon="key" isBusy={passkey.isRunning} onClick={() => void passkey.run()}>
            Sign in with a passkey
          </Button>
        )
      }
    >
      <Field
        label="Email"
        type="email"
        name="email"
        autocomplete="username"
        required
        value={email.value}
        onInput={({ currentTarget }) => {
          email.value = currentTarget.value;
        }}
      />
    </Entry>
  );
}

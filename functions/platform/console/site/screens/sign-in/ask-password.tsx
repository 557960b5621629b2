import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { type Next, signIn } from '../../data/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Field } from '../../ui/field.tsx';

interface AskPasswordProps {
  email: string;
  proceed(next: Next): void;
  back(): void;
  forgot(): void;
}

export function AskPassword({ email, proceed, back, forgot }: AskPasswordProps) {
  const password = useSignal('');
  const action = useAction(async () => proceed(await signIn(email, password.value)));
  return (
    <Entry
      title="Sign in"
      hint={email}
      action="Sign in"
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem}
      others={
        <>
          <Button look="plain" onClick={forgot}>
            Forgot password
          </Button>
          <Button look="plain" onClick={back}>
            Use another address
          </Button>
        </>
      }
    >
      {/* Lets password managers know whose password it is. */}
      <input type="hidden" name="username" autocomplete="username" value={email} />
      <Field
        label="Password"
        type="password"
        name="password"
        autocomplete="current-password"
        required
        value={password.value}
        onInput={({ currentTarget }) => {
          password.value = currentTarget.value;
        }}
      />
    </Entry>
  );
}

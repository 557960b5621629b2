import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { confirmWithCode, confirmWithPasskey, HAS_PASSKEYS, type Next } from '../../data/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Field } from '../../ui/field.tsx';

interface AskCodeProps {
  email: string;
  mfaToken: string;
  proceed(next: Next): void;
  restart(): void;
}

export function AskCode({ email, mfaToken, proceed, restart }: AskCodeProps) {
  const code = useSignal('');
  const action = useAction(async () => proceed(await confirmWithCode(mfaToken, code.value.trim())));
  const passkey = useAction(async () => proceed(await confirmWithPasskey(mfaToken)));
  return (
    <Entry
      title="Second factor"
      hint={`Enter the code from your authenticator app, or a recovery code, for ${email}.`}
      action="Sign in"
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem ?? passkey.problem}
      others={
        <>
          {HAS_PASSKEYS && (
            <Button look="plain" icon="key" isBusy={passkey.isRunning} onClick={() => void passkey.run()}>
              Use a passkey instead
            </Button>
          )}
          <Button look="plain" onClick={restart}>
            Start again
          </Button>
        </>
      }
    >
      <Field
        label="Code"
        type="text"
        name="code"
        autocomplete="one-time-code"
        required
        value={code.value}
        onInput={({ currentTarget }) => {
          code.value = currentTarget.value;
        }}
      />
    </Entry>
  );
}

import { useAction } from '../../data/action.ts';
import { signInWithProvider, type Way } from '../../data/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Entry } from '../../ui/entry.tsx';

interface AskProviderProps {
  way: Way;
  email: string;
  usePassword(): void;
}

export function AskProvider({ way, email, usePassword }: AskProviderProps) {
  const action = useAction(() => signInWithProvider(way, email));
  return (
    <Entry
      title="Sign in"
      hint={`${email} signs in with ${way.name}.`}
      action={`Continue with ${way.name}`}
      submit={action.run}
      isBusy={action.isRunning}
      problem={action.problem}
      others={
        !way.required && (
          <Button look="plain" onClick={usePassword}>
            Use a password instead
          </Button>
        )
      }
    />
  );
}

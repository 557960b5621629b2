import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { session, showSession } from '../../data/session.ts';
import type { Next, Way } from '../../data/sign-in.ts';
import { to } from '../../ui/address.ts';
import { AskCode } from './ask-code.tsx';
import { AskEmail } from './ask-email.tsx';
import { AskPassword } from './ask-password.tsx';
import { AskProvider } from './ask-provider.tsx';
import { AskReset } from './ask-reset.tsx';
import { AskWorkspace } from './ask-workspace.tsx';

type Step =
  | { step: 'email' }
  | { step: 'provider'; way: Way }
  | { step: 'password' }
  | { step: 'reset' }
  | Exclude<Next, { step: 'done' }>;

/** The sign-in, one step at a time. Afterwards the console shows the screen of the address. */
export default function SignIn() {
  const step = useSignal<Step>({ step: 'email' });
  const email = useSignal('');
  const { path, route } = useLocation();
  const go = (next: Step) => {
    step.value = next;
  };
  const proceed = (next: Next) => {
    if (next.step === 'done') showSession();
    else go(next);
  };
  const isAddressed = path === to('/sign-in');
  useEffect(() => {
    if (session.value && isAddressed) route(to('/'), true);
  }, [session.value, isAddressed]);

  const current = step.value;
  if (current.step === 'provider') {
    return <AskProvider way={current.way} email={email.value} usePassword={() => go({ step: 'password' })} />;
  }
  if (current.step === 'password') {
    return (
      <AskPassword
        email={email.value}
        proceed={proceed}
        back={() => go({ step: 'email' })}
        forgot={() => go({ step: 'reset' })}
      />
    );
  }
  if (current.step === 'reset') return <AskReset email={email.value} back={() => go({ step: 'email' })} />;
  if (current.step === 'code') {
    return (
      <AskCode
        email={email.value}
        mfaToken={current.mfaToken}
        proceed={proceed}
        restart={() => go({ step: 'email' })}
      />
    );
  }
  if (current.step === 'workspace') return <AskWorkspace workspaces={current.workspaces} done={showSession} />;
  return (
    <AskEmail
      email={email}
      proceed={proceed}
      ask={(way) => go(way.method === 'sso' ? { step: 'provider', way } : { step: 'password' })}
    />
  );
}

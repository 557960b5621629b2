import { type Signal, useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import type { Me } from '../../../data/me.ts';
import { refreshQueries } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { Section } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Codes } from './codes.tsx';
import { QrCode } from './qr-code.tsx';

type Open = 'on' | 'off' | 'codes';

/** The codes of an authenticator app, and those for when it is lost. */
export function SecondFactor({ me: { mfa } }: { me: Me }) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Second factor">
      {mfa.enabled ? (
        <p>
          <Status kind="succeeded" label="on" /> · {counted(mfa.recoveryCodesLeft, 'recovery code')} left
        </p>
      ) : (
        <p class="hint">
          With a second factor, your password alone is not enough: signing in also takes a code from your authenticator
          app.
        </p>
      )}
      <div class="actions">
        {mfa.enabled ? (
          <>
            <Button onClick={() => setOpen('codes')}>Replace the recovery codes</Button>
            <Button look="danger" onClick={() => setOpen('off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button look="main" icon="shield-check" onClick={() => setOpen('on')}>
            Turn on
          </Button>
        )}
      </div>
      {open === 'on' && <TurnOn close={close} />}
      {open === 'codes' && <ReplaceCodes close={close} />}
      {open === 'off' && <TurnOff close={close} />}
    </Section>
  );
}

interface LayerProps {
  close(): void;
}

/** The password, then the app, then the recovery codes. */
function TurnOn({ close }: LayerProps) {
  const password = useSignal('');
  const code = useSignal('');
  const [enrolment, setEnrolment] = useState<Types.MfaEnrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const enrol = useAction(async () => setEnrolment(await api.auth.enrolMfa({ password: password.peek() })));
  const activate = useAction(async () => {
    setCodes((await api.auth.activateMfa({ code: code.peek().trim() })).recoveryCodes);
    await refreshQueries(['me']);
  });
  if (codes) return <Codes title="The second factor is on" codes={codes} close={close} />;
  if (!enrolment) {
    return (
      <Dialog
        key="password"
        title="Turn on the second factor"
        close={close}
        action="Continue"
        submit={stays(enrol)}
        isBusy={enrol.isRunning}
        problem={enrol.problem}
      >
        <PasswordField value={password} />
      </Dialog>
    );
  }
  return (
    <Dialog
      key="app"
      title="Set up your authenticator app"
      close={close}
      action="Turn on"
      submit={stays(activate)}
      isBusy={activate.isRunning}
      problem={activate.problem}
    >
      <p>Scan this code with the app, or type the key into it. Then enter the six digits that it shows.</p>
      <QrCode text={enrolment.otpauthUrl} label="The key of the second factor, for an authenticator app" />
      <p class="secret-text">
        <code>{enrolment.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <CodeField value={code} label="Code" />
    </Dialog>
  );
}

/** What follows in the dialog: it stays open. */
const stays =
  ({ run }: { run(): Promise<boolean> }) =>
  async () => {
    await run();
    return false;
  };

function ReplaceCodes({ close }: LayerProps) {
  const code = useSignal('');
  const [codes, setCodes] = useState<readonly string[]>();
  const replace = useAction(async () => {
    setCodes((await api.auth.replaceRecoveryCodes({ code: code.peek().trim() })).recoveryCodes);
    await refreshQueries(['me']);
  });
  if (codes) return <Codes title="Your new recovery codes" codes={codes} close={close} />;
  return (
    <Dialog
      title="Replace the recovery codes"
      close={close}
      action="Replace"
      submit={stays(replace)}
      isBusy={replace.isRunning}
      problem={replace.problem}
    >
      <p>The codes that you have now stop working.</p>
      <CodeField value={code} />
    </Dialog>
  );
}

function TurnOff({ close }: LayerProps) {
  const password = useSignal('');
  const code = useSignal('');
  const turnOff = useAction(async () => {
    await api.auth.turnOffMfa({ password: password.peek(), code: code.peek().trim() });
    await refreshQueries(['me']);
  });
  return (
    <Dialog
      title="Turn off the second factor"
      close={close}
      action="Turn off"
      isDanger
      submit={turnOff.run}
      isBusy={turnOff.isRunning}
      problem={turnOff.problem}
    >
      <p>Your password alone is enough to sign in from then on.</p>
      <PasswordField value={password} />
      <CodeField value={code} />
    </Dialog>
  );
}

export const PasswordField = ({ value }: { value: Signal<string> }) => (
  <Field label="Your password" type="password" autocomplete="current-password" required {...bound(value)} />
);

interface CodeFieldProps {
  value: Signal<string>;
  label?: string;
}

export const CodeField = ({ value, label = 'Code of the app, or a recovery code' }: CodeFieldProps) => (
  <Field label={label} autocomplete="one-time-code" required {...bound(value)} />
);

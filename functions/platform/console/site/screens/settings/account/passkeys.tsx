import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { HAS_PASSKEYS, registerPasskey } from '../../../../../browser/passkeys.ts';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import type { Me } from '../../../data/me.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm, Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Ago } from '../../../ui/time.tsx';
import { CodeField, PasswordField } from './second-factor.tsx';

const KEY = ['passkeys'];

/** Sign-ins without a password, by a device of the person. */
export function Passkeys({ me }: { me: Me }) {
  const { data, error, refresh } = useQuery(KEY, () => api.auth.listPasskeys());
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Types.Passkey>();
  const remove = useAction(async (id: string) => {
    await api.auth.removePasskey(id);
    await refreshQueries(KEY);
  });
  return (
    <Section
      title="Passkeys"
      actions={
        HAS_PASSKEYS && (
          <Button isSmall icon="plus" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      {data === undefined && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={1} />)}
      {data?.items.length === 0 && (
        <p class="hint">
          {HAS_PASSKEYS
            ? 'With a passkey you sign in by fingerprint, face or PIN of your device. It replaces both password and code.'
            : 'This browser cannot add passkeys at this address. They need HTTPS and a host name.'}
        </p>
      )}
      {data && data.items.length > 0 && (
        <ul class="rows">
          {data.items.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <p class="hint">
                  added <Ago at={passkey.createdAt} />
                  {' · '}
                  {passkey.lastUsedAt === null ? (
                    'not used yet'
                  ) : (
                    <>
                      last used <Ago at={passkey.lastUsedAt} />
                    </>
                  )}
                  {passkey.isSynced && ' · on several devices'}
                </p>
              </div>
              <Button isSmall onClick={() => setRemoving(passkey)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <Add me={me} close={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title={`Remove the passkey “${removing.name}”?`}
          action="Remove"
          submit={() => remove.run(removing.id)}
          close={() => setRemoving(undefined)}
          isBusy={remove.isRunning}
          problem={remove.problem}
        >
          It can no longer be used to sign in. Delete it on the device too.
        </Confirm>
      )}
    </Section>
  );
}

/** The proof of the person first: a page that was left open must not be enough to add a way to sign in. */
function Add({ me, close }: { me: Me; close: () => void }) {
  const name = useSignal('');
  const password = useSignal('');
  const code = useSignal('');
  const add = useAction(async () => {
    const proof = { password: password.peek(), ...(me.mfa.enabled && { code: code.peek().trim() }) };
    const response = await registerPasskey(await api.auth.startPasskey(proof));
    await api.auth.addPasskey({ name: name.peek().trim(), response: response as never });
    await refreshQueries(KEY);
  });
  return (
    <Dialog
      title="Add a passkey"
      close={close}
      action="Continue"
      submit={add.run}
      isBusy={add.isRunning}
      problem={add.problem}
    >
      <Field
        label="Name"
        required
        maxLength={100}
        placeholder="Laptop"
        hint="A name to recognize it by in this list."
        {...bound(name)}
      />
      <PasswordField value={password} />
      {me.mfa.enabled && <CodeField value={code} />}
    </Dialog>
  );
}

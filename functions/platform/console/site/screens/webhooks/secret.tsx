import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { besides, issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { rebaseForms } from '../../data/versioned.ts';
import type { Webhook } from '../../data/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { SecretOnce } from './secret-once.tsx';

/** How requests are signed. A secret that the platform makes is shown once, when it is made. */
export function Secret({ webhook: { id, hasSecret, revision } }: { webhook: Webhook }) {
  const [opened, open] = useState<'generate' | 'own' | 'remove' | undefined>(undefined);
  const made = useSignal<string | undefined>(undefined);
  const own = useSignal('');
  const change = useAction(async (body: Types.UpdateWebhook) => {
    const saved = await api.webhooks.update(id, body, { ifMatch: revision });
    rebaseForms(id, revision, saved.revision);
    own.value = '';
    await refreshQueries(['webhooks']);
    made.value = saved.secret;
  });
  const close = () => {
    change.clear();
    own.value = '';
    open(undefined);
  };
  const common = { isBusy: change.isRunning, problem: change.problem, close };
  return (
    <>
      <p>{hasSecret ? 'Requests are signed with a secret.' : 'Requests are not signed: anyone could send them.'}</p>
      <div class="actions">
        <Button icon="key" onClick={() => (hasSecret ? open('generate') : void change.run({ generateSecret: true }))}>
          {hasSecret ? 'Replace the secret' : 'Create a secret'}
        </Button>
        <Button onClick={() => open('own')}>Enter a secret</Button>
        {hasSecret && (
          <Button look="danger" onClick={() => open('remove')}>
            Remove the secret
          </Button>
        )}
      </div>
      {opened === 'generate' && (
        <Confirm
          {...common}
          title="Replace the secret?"
          action="Replace"
          submit={() => change.run({ generateSecret: true })}
        >
          <p>For a day, requests are signed with both. Change your receiver within that day.</p>
        </Confirm>
      )}
      {opened === 'own' && (
        <Dialog
          {...common}
          title="Enter a secret"
          action="Save"
          problem={besides(change.problem, ['secret'])}
          submit={() => change.run({ secret: own.peek() })}
        >
          <Field
            label="Secret"
            type="password"
            autocomplete="new-password"
            required
            maxLength={512}
            hint={hasSecret ? 'For a day, requests are signed with the former one too.' : undefined}
            issue={issueOf(change.problem, 'secret')}
            value={own.value}
            onInput={({ currentTarget }) => {
              own.value = currentTarget.value;
            }}
          />
        </Dialog>
      )}
      {opened === 'remove' && (
        <Confirm {...common} title="Remove the secret?" action="Remove" submit={() => change.run({ secret: null })}>
          <p>Requests are no longer signed, and a receiver that verifies them refuses them.</p>
        </Confirm>
      )}
      {made.value !== undefined && (
        <SecretOnce
          secret={made.value}
          close={() => {
            made.value = undefined;
          }}
        />
      )}
    </>
  );
}

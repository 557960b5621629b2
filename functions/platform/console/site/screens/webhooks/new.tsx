import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { issueIn } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EventFields } from './event-fields.tsx';
import { AddressField, FIELDS, HeadersField, NameField, type ReceiverDraft, SecretField } from './fields.tsx';
import { headersOf } from './headers.ts';
import { newSecret } from './new-secret.ts';
import { SecretOnce } from './secret-once.tsx';

interface Draft extends ReceiverDraft {
  kind: Types.CreateWebhook['kind'];
  signing: 'generate' | 'own' | 'none';
}

const EMPTY: Draft = {
  name: '',
  url: '',
  kind: 'generic',
  events: ['pipeline.run_failed'],
  headers: '',
  signing: 'generate',
  secret: '',
};

/** A new receiver of events. */
export default function NewWebhook() {
  const { route } = useLocation();
  const draft = useSignal(EMPTY);
  const made = useSignal<{ id: string; secret: string } | undefined>(undefined);
  // The API makes no secret under a key. With one of this page, a repeat after a lost reply makes no second webhook, and
  // the secret is known.
  const [ownSecret] = useState(newSecret);
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const open = (id: string) => route(to(`/webhooks/${id}`), true);
  const create = useAction(async () => {
    const { name, url, kind, events, headers, signing, secret } = draft.peek();
    const isSigned = kind === 'generic' && signing !== 'none';
    const isNew = isSigned && signing === 'generate';
    const body: Types.CreateWebhook = {
      name: name.trim(),
      url: url.trim(),
      kind,
      events,
      ...(headers.trim() && { headers: headersOf(headers) }),
      ...(isSigned && { secret: isNew ? ownSecret : secret }),
    };
    const { id } = await api.webhooks.create(body);
    await refreshQueries(['webhooks']);
    if (isNew) made.value = { id, secret: ownSecret };
    else open(id);
  });
  const { problem } = create;
  const common = { draft: given, set, problem };
  return (
    <Page title="New webhook" lead="The platform sends a request to your server for each event that you choose.">
      <RecordForm action="Create the webhook" saving={create} fields={FIELDS}>
        <NameField {...common} />
        <AddressField {...common} hint="An https address on the internet." />
        <SelectField
          label="Kind"
          hint="It cannot be changed later."
          value={given.kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value as Draft['kind'] })}
        >
          <option value="generic">Your own server: events as JSON</option>
          <option value="chat">A chat tool: messages for a channel</option>
        </SelectField>
        {given.kind === 'generic' && (
          <>
            <SelectField
              label="Signature"
              hint="Lets your server verify that a request comes from this platform."
              value={given.signing}
              onChange={({ currentTarget }) => set({ signing: currentTarget.value as Draft['signing'] })}
            >
              <option value="generate">with a new secret, shown once</option>
              <option value="own">with a secret of your own</option>
              <option value="none">none</option>
            </SelectField>
            {given.signing === 'own' && <SecretField {...common} isRequired />}
          </>
        )}
        <EventFields value={given.events} onChange={(events) => set({ events })} issue={issueIn(problem, 'events')} />
        <details>
          <summary>More settings</summary>
          <HeadersField
            {...common}
            hint="Added to each request, such as “Authorization: Bearer …”, one per line. Their values are not shown again."
          />
        </details>
      </RecordForm>
      {made.value && <SecretOnce secret={made.value.secret} close={() => open(made.peek()!.id)} />}
    </Page>
  );
}

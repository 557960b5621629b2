import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { issueIn } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import type { Webhook } from '../../data/webhooks.ts';
import { DeleteSection } from '../../shell/delete-record.tsx';
import { RecordForm } from '../../shell/record-form.tsx';
import { to } from '../../ui/address.ts';
import { differencesOf } from '../../ui/differences.ts';
import { Section } from '../../ui/page.tsx';
import { EventFields } from './event-fields.tsx';
import { AddressField, FIELDS, HeadersField, NameField, type ReceiverDraft, SecretField } from './fields.tsx';
import { headersOf } from './headers.ts';
import { Secret } from './secret.tsx';

/** What the webhook receives and where, its secret, and its removal. */
export function Settings({ webhook }: { webhook: Webhook }) {
  const { id, name, revision } = webhook;
  const { route } = useLocation();
  return (
    <div class="settings">
      <Section title="Receiver">
        <ReceiverForm webhook={webhook} />
      </Section>
      {webhook.kind === 'generic' && (
        <Section title="Signature">
          <Secret webhook={webhook} />
        </Section>
      )}
      <DeleteSection
        noun="webhook"
        what={`“${name}”`}
        hint="Deliveries that are under way fail. To stop for a while, turn the webhook off instead."
        remove={async () => {
          await api.webhooks.delete(id, { ifMatch: revision });
          forget({ type: 'webhook', id });
          await refreshQueries(['webhooks']);
          route(to('/webhooks'));
        }}
      >
        The webhook, its secret and the list of its deliveries are deleted. This cannot be undone.
      </DeleteSection>
    </div>
  );
}

const draftOf = ({ name, url, events }: Webhook): ReceiverDraft => ({ name, url, events, headers: '', secret: '' });

const LABELS = { name: 'Name', url: 'Address', events: { label: 'Events', write: (all: string[]) => all.join(', ') } };

function ReceiverForm({ webhook }: { webhook: Webhook }) {
  const { id, hasSecret } = webhook;
  const draft = useSignal(draftOf(webhook));
  const given = draft.value;
  const set = (change: Partial<ReceiverDraft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const names = Object.keys(webhook.headers);
  const isElsewhere = URL.parse(given.url)?.origin !== URL.parse(webhook.url)?.origin;
  const asksAgain = isElsewhere && (hasSecret || names.length > 0);
  const edit = useEdit(
    webhook,
    () => api.webhooks.get(id),
    async (ifMatch) => {
      const { name, url, events, headers, secret } = draft.peek();
      const body: Types.UpdateWebhook = {
        name: name.trim(),
        url: url.trim(),
        events,
        ...((headers.trim() || asksAgain) && { headers: headersOf(headers) }),
        ...(asksAgain && { secret: secret || null }),
      };
      const saved = await api.webhooks.update(id, body, { ifMatch });
      set({ headers: '', secret: '' });
      await refreshQueries(['webhooks']);
      return saved;
    },
  );
  const { problem } = edit;
  const common = { draft: given, set, problem };
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={FIELDS}
      differences={(theirs) => differencesOf(theirs, given, LABELS)}
      take={(theirs) => {
        draft.value = draftOf(theirs);
        void refreshQueries(['webhooks']);
      }}
    >
      <NameField {...common} />
      <AddressField {...common} />
      {asksAgain && (
        <p class="hint" role="status">
          This is another server, so the headers and the secret are not sent to it unless you enter them again. What you
          leave empty is removed.
        </p>
      )}
      {asksAgain && hasSecret && <SecretField {...common} />}
      <HeadersField
        {...common}
        hint={
          names.length === 0
            ? 'Added to each request, one per line, such as “Authorization: Bearer …”.'
            : `Now: ${names.join(', ')}. What you enter replaces all of them, one per line.`
        }
      />
      <EventFields value={given.events} onChange={(events) => set({ events })} issue={issueIn(problem, 'events')} />
    </RecordForm>
  );
}

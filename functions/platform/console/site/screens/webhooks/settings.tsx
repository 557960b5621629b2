import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import type { Webhook } from '../../data/webhooks.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { EventFields } from './event-fields.tsx';
import { headersOf, wrongHeader } from './headers.ts';
import { Secret } from './secret.tsx';

interface SettingsProps {
  webhook: Webhook;
  /** Gets the revision that the forms are based on. */
  based: RefObject<Signal<number> | undefined>;
}

/** What the webhook receives and where, its secret, and its removal. */
export function Settings({ webhook, based }: SettingsProps) {
  const revision = useSignal(webhook.revision);
  useEffect(() => {
    based.current = revision;
    return () => {
      based.current = undefined;
    };
  }, [based, revision]);
  return (
    <div class="settings">
      <Section title="Receiver">
        <ReceiverForm webhook={webhook} revision={revision} />
      </Section>
      {webhook.kind === 'generic' && (
        <Section title="Signature">
          <Secret webhook={webhook} revision={revision} />
        </Section>
      )}
      <Section title="Delete">
        <Delete webhook={webhook} />
      </Section>
    </div>
  );
}

interface Draft {
  name: string;
  url: string;
  events: string[];
  /** Replace all headers, if any are entered. */
  headers: string;
  secret: string;
}

const draftOf = ({ name, url, events }: Webhook): Draft => ({ name, url, events, headers: '', secret: '' });

const LABELS = { name: 'Name', url: 'Address', events: { label: 'Events', write: (all: string[]) => all.join(', ') } };

/** The name of the secret's field is in its pointer too. */
const KNOWN = ['/name', '/url', '/secret', '/headers'];

function ReceiverForm({ webhook, revision }: { webhook: Webhook; revision: Signal<number> }) {
  const { id, hasSecret } = webhook;
  const draft = useSignal(draftOf(webhook));
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
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
      const wrong = wrongHeader(headers);
      if (wrong !== undefined) throw new Error(`“${wrong.trim()}” is not a header. Write “name: value”, one per line.`);
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
    revision,
  );
  const { problem, theirs } = edit;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void edit.run();
      }}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        issue={issueOf(problem, 'name')}
        value={given.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Field
        label="Address"
        type="url"
        required
        maxLength={2048}
        issue={issueOf(problem, 'url')}
        value={given.url}
        onInput={({ currentTarget }) => set({ url: currentTarget.value })}
      />
      {asksAgain && (
        <p class="hint" role="status">
          This is another server, so the headers and the secret are not sent to it unless you enter them again. What you
          leave empty is removed.
        </p>
      )}
      {asksAgain && hasSecret && (
        <Field
          label="Secret"
          type="password"
          autocomplete="new-password"
          maxLength={512}
          issue={issueOf(problem, 'secret')}
          value={given.secret}
          onInput={({ currentTarget }) => set({ secret: currentTarget.value })}
        />
      )}
      <TextField
        label="Headers"
        rows={3}
        spellcheck={false}
        hint={
          names.length === 0
            ? 'Added to each request, one per line, such as “Authorization: Bearer …”.'
            : `Now: ${names.join(', ')}. What you enter replaces all of them, one per line.`
        }
        issue={issueOf(problem, 'headers')}
        value={given.headers}
        onInput={({ currentTarget }) => set({ headers: currentTarget.value })}
      />
      <EventFields
        value={given.events}
        onChange={(events) => set({ events })}
        issue={problem?.issues.find(({ pointer }) => pointer.startsWith('/events'))?.message}
      />
      {theirs ? (
        <Changed
          differences={differencesOf(theirs, given, LABELS)}
          keepMine={() => void edit.keepMine()}
          takeTheirs={() => {
            draft.value = draftOf(theirs);
            edit.takeTheirs();
            void refreshQueries(['webhooks']);
          }}
        />
      ) : (
        <>
          <div class="actions">
            <Button type="submit" look="main" isBusy={edit.isRunning}>
              Save
            </Button>
          </div>
          <Issue
            problem={
              problem && {
                ...problem,
                issues: problem.issues.filter(
                  ({ pointer }) => !KNOWN.includes(pointer) && !pointer.startsWith('/events'),
                ),
              }
            }
          />
        </>
      )}
    </form>
  );
}

function Delete({ webhook: { id, name, revision } }: { webhook: Webhook }) {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(async () => {
    await api.webhooks.delete(id, { ifMatch: revision });
    forget({ type: 'webhook', id });
    await refreshQueries(['webhooks']);
    route(to('/webhooks'));
  });
  return (
    <>
      <p class="hint">Deliveries that are under way fail. To stop for a while, turn the webhook off instead.</p>
      <Button look="danger" icon="trash-2" onClick={() => setOpen(true)}>
        Delete the webhook
      </Button>
      {isOpen && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete"
          isBusy={remove.isRunning}
          problem={remove.problem}
          submit={() => remove.run()}
          close={() => setOpen(false)}
        >
          <p>The webhook, its secret and the list of its deliveries are deleted. This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}

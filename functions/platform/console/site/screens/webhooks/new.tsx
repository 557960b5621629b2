import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { EventFields } from './event-fields.tsx';
import { headersOf, wrongHeader } from './headers.ts';
import { SecretOnce } from './secret-once.tsx';

interface Draft {
  name: string;
  url: string;
  kind: Types.CreateWebhook['kind'];
  events: string[];
  headers: string;
  signing: 'generate' | 'own' | 'none';
  secret: string;
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
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const open = (id: string) => route(to(`/webhooks/${id}`), true);
  const create = useAction(async () => {
    const { name, url, kind, events, headers, signing, secret } = draft.peek();
    const wrong = wrongHeader(headers);
    if (wrong !== undefined) throw new Error(`“${wrong.trim()}” is not a header. Write “name: value”, one per line.`);
    const body: Types.CreateWebhook = {
      name: name.trim(),
      url: url.trim(),
      kind,
      events,
      ...(headers.trim() && { headers: headersOf(headers) }),
      ...(kind === 'generic' && signing === 'generate' && { generateSecret: true }),
      ...(kind === 'generic' && signing === 'own' && { secret }),
    };
    const created = await api.webhooks.create(body);
    await refreshQueries(['webhooks']);
    if (created.secret === undefined) open(created.id);
    else made.value = { id: created.id, secret: created.secret };
  });
  const { problem } = create;
  const KNOWN = ['/name', '/url', '/secret'];
  return (
    <Page title="New webhook" lead="The platform sends a request to your server for each event that you choose.">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
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
          placeholder="https://hooks.example.com/analytics"
          hint="In a public network, by https."
          issue={issueOf(problem, 'url')}
          value={given.url}
          onInput={({ currentTarget }) => set({ url: currentTarget.value })}
        />
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
            {given.signing === 'own' && (
              <Field
                label="Secret"
                type="password"
                autocomplete="new-password"
                required
                maxLength={512}
                issue={issueOf(problem, 'secret')}
                value={given.secret}
                onInput={({ currentTarget }) => set({ secret: currentTarget.value })}
              />
            )}
          </>
        )}
        <EventFields
          value={given.events}
          onChange={(events) => set({ events })}
          issue={problem?.issues.find(({ pointer }) => pointer.startsWith('/events'))?.message}
        />
        <details>
          <summary>More settings</summary>
          <TextField
            label="Headers"
            hint="Added to each request, such as “Authorization: Bearer …”, one per line. Their values are not shown again."
            rows={3}
            spellcheck={false}
            value={given.headers}
            onInput={({ currentTarget }) => set({ headers: currentTarget.value })}
          />
        </details>
        <div class="actions">
          <Button type="submit" look="main" isBusy={create.isRunning}>
            Create the webhook
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
      </form>
      {made.value && <SecretOnce secret={made.value.secret} close={() => open(made.peek()!.id)} />}
    </Page>
  );
}

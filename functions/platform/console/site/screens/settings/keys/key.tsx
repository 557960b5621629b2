import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { RecordForm } from '../../../shell/record-form.tsx';
import { to } from '../../../ui/address.ts';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { dateIn } from '../../../ui/date-in.ts';
import { Confirm, Dialog } from '../../../ui/dialog.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { Field, SelectField } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { momentText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { homeZone } from '../../../ui/schedule-fields.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Ago } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AttributeFields } from '../attribute-fields.tsx';
import { type AttributeRow, attributesOf, rowsOf } from '../attributes.ts';
import { Expiry } from './list.tsx';
import { ShownOnce } from './shown-once.tsx';

/** One key: its name, its end, its rotation. */
export function KeyPage({ id }: { id: string }) {
  const { data: key, error, refresh } = useQuery(['keys', 'one', id], () => api.apiKeys.get(id));
  if (!key) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />;
  return (
    <>
      <Section title={key.name} actions={<Link to="/settings/keys">All keys</Link>}>
        <dl class="rights">
          <dt>Begins with</dt>
          <dd>
            <code>{key.prefix}</code>
          </dd>
          <dt>May</dt>
          <dd>
            {key.scope}
            {key.resources !== null && `, only ${counted(key.resources.length, 'object')}`}
          </dd>
          <dt>Valid until</dt>
          <dd>
            <Expiry at={key.expiresAt} />
          </dd>
          <dt>Last used</dt>
          <dd>{key.lastUsedAt === null ? 'never' : <Ago at={key.lastUsedAt} />}</dd>
          {key.previousUntil !== null && Date.parse(key.previousUntil) > Date.now() && (
            <>
              <dt>Former value</dt>
              <dd>works until {momentText(key.previousUntil)}</dd>
            </>
          )}
        </dl>
        <KeyForm key={key.revision} apiKey={key} />
      </Section>
      <Ways apiKey={key} />
    </>
  );
}

/** The day on which the key ends here, as lists show it. */
const dayOf = ({ expiresAt }: Types.ApiKey): string => (expiresAt === null ? '' : dateIn(expiresAt, homeZone()));

function KeyForm({ apiKey }: { apiKey: Types.ApiKey }) {
  const { id, attributes, serviceAccountId } = apiKey;
  const name = useSignal(apiKey.name);
  const until = useSignal(dayOf(apiKey));
  const rows = useSignal<readonly AttributeRow[]>(rowsOf(attributes));
  const hasOwnAttributes = serviceAccountId === null;
  const draft = () => ({
    name: name.peek().trim(),
    // A day that was not changed keeps its time.
    expiresAt:
      until.peek() === dayOf(apiKey)
        ? apiKey.expiresAt
        : until.peek()
          ? new Date(`${until.peek()}T23:59:59`).toISOString()
          : null,
    ...(hasOwnAttributes && { attributes: attributesOf(rows.peek(), attributes) }),
  });
  const edit = useEdit(
    apiKey,
    () => api.apiKeys.get(id),
    async (ifMatch) => {
      const saved = await api.apiKeys.update(id, draft(), { ifMatch });
      await refreshQueries(['keys']);
      toast('The key is saved.');
      return saved;
    },
  );
  const { problem } = edit;
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={['name', 'expiresAt', 'attributes/']}
      differences={(theirs) =>
        differencesOf(theirs, draft(), { name: 'Name', expiresAt: 'Valid until', attributes: 'Attributes' })
      }
      take={() => void refreshQueries(['keys'])}
    >
      <Field label="Name" required maxLength={200} issue={issueOf(problem, 'name')} {...bound(name)} />
      <Field
        label="Valid until"
        type="date"
        hint="Leave it empty for a key that does not expire."
        issue={issueOf(problem, 'expiresAt')}
        {...bound(until)}
      />
      {hasOwnAttributes && (
        <>
          <p class="hint">Its attributes limit the rows of models that it reads.</p>
          <AttributeFields value={rows} issues={problem?.issues ?? []} />
        </>
      )}
    </RecordForm>
  );
}

/** A new value, or the end of the key. */
function Ways({ apiKey: { id, name, revision } }: { apiKey: Types.ApiKey }) {
  const { route } = useLocation();
  const [open, setOpen] = useState<'rotate' | 'revoke'>();
  const [value, setValue] = useState<string>();
  const hours = useSignal('24');
  const rotate = useAction(async () => {
    setValue((await api.apiKeys.rotate(id, { overlapHours: Number(hours.peek()) })).key);
    await refreshQueries(['keys']);
  });
  const revoke = useAction(async () => {
    await api.apiKeys.revoke(id, { ifMatch: revision });
    void refreshQueries(['keys']);
    route(to('/settings/keys'));
  });
  const close = () => {
    setOpen(undefined);
    setValue(undefined);
  };
  return (
    <Section title="Replace or revoke">
      <div class="actions">
        <Button onClick={() => setOpen('rotate')}>Rotate</Button>
        <Button look="danger" onClick={() => setOpen('revoke')}>
          Revoke
        </Button>
      </div>
      {open === 'rotate' && value !== undefined && (
        <ShownOnce title="The new value" noun="The key" secret={value} close={close} />
      )}
      {open === 'rotate' && value === undefined && (
        <Dialog
          title={`Rotate “${name}”`}
          close={close}
          action="Rotate"
          submit={async () => {
            await rotate.run();
            return false;
          }}
          isBusy={rotate.isRunning}
          problem={rotate.problem}
        >
          <SelectField label="The current value works for" {...bound(hours)}>
            <option value="0">no longer</option>
            <option value="1">one more hour</option>
            <option value="24">one more day</option>
            <option value="168">one more week</option>
          </SelectField>
        </Dialog>
      )}
      {open === 'revoke' && (
        <Confirm
          title={`Revoke “${name}”?`}
          action="Revoke"
          submit={revoke.run}
          isBusy={revoke.isRunning}
          problem={revoke.problem}
          close={close}
        >
          <p>Programs that use it stop working within seconds. This cannot be undone.</p>
        </Confirm>
      )}
    </Section>
  );
}

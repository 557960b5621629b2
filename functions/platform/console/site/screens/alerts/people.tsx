import { api } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import { Picker } from '../../shell/picker.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import type { Recipient } from './recipients.ts';

const MAX_CHOICES = 20;
const MAX_KNOWN = 200;

interface PeopleProps {
  value: readonly Recipient[];
  onChange(recipients: Recipient[]): void;
  addresses: string;
  setAddresses(text: string): void;
  event: boolean;
  setEvent(event: boolean): void;
  issue?: string | undefined;
}

/** Members and groups whose names contain a text. */
async function search(text: string) {
  const [members, groups] = await Promise.all([
    api.workspaces.listMembers({ limit: MAX_CHOICES, ...(text && { search: text }) }),
    api.groups.list({ limit: MAX_KNOWN, sort: 'name' }),
  ]);
  return [
    ...groups.items
      .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
      .map(({ id, name }) => ({ id: `group ${id}`, label: name, hint: 'group' })),
    ...members.items.map(({ userId, name, email }) => ({ id: `user ${userId}`, label: name || email, hint: email })),
  ].slice(0, MAX_CHOICES);
}

/** The names of recipients, as far as the person may see them. */
const useNames = () =>
  useQuery(['alerts', 'names'], async () => {
    const [members, groups] = await Promise.all([
      api.workspaces.listMembers({ limit: MAX_KNOWN }),
      api.groups.list({ limit: MAX_KNOWN }),
    ]);
    return new Map([
      ...members.items.map(({ userId, name, email }) => [`user ${userId}`, name || email] as const),
      ...groups.items.map(({ id, name }) => [`group ${id}`, name] as const),
    ]);
  }).data;

/** Who is notified. */
export function People({ value, onChange, addresses, setAddresses, event, setEvent, issue }: PeopleProps) {
  const names = useNames();
  const nameOf = ({ kind, id }: Recipient) =>
    names?.get(`${kind} ${id}`) ?? (kind === 'group' ? 'a group' : names ? 'a member' : '…');
  return (
    <fieldset class="field-group">
      <legend>Who is notified</legend>
      {issue !== undefined && <p class="issue">{issue}</p>}
      {value.length === 0 && <p class="hint">Only the owner, in the feed.</p>}
      {value.length > 0 && (
        <ul class="people">
          {value.map((each) => (
            <li key={`${each.kind} ${each.id}`}>
              <span>
                {nameOf(each)}
                {each.kind === 'group' && <span class="hint"> group</span>}
              </span>
              <CheckField
                label="by email too"
                aria-label={`${nameOf(each)} by email too`}
                checked={each.byEmail}
                onChange={({ currentTarget }) =>
                  onChange(value.map((other) => (other === each ? { ...each, byEmail: currentTarget.checked } : other)))
                }
              />
              <IconButton
                icon="x"
                label={`Remove ${nameOf(each)}`}
                onClick={() => onChange(value.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
      )}
      <Picker
        label="Add a person or a group"
        of="people"
        name=""
        isList
        search={search}
        choose={({ id: key }) => {
          const [kind, id] = key.split(' ') as [Recipient['kind'], string];
          if (!value.some((each) => each.kind === kind && each.id === id)) {
            onChange([...value, { kind, id, byEmail: false }]);
          }
        }}
      />
      <TextField
        label="Email addresses outside the workspace"
        hint="In the domains that the workspace allows. They get what everyone may see."
        rows={2}
        value={addresses}
        onInput={({ currentTarget }) => setAddresses(currentTarget.value)}
      />
      <CheckField
        label="Send the event alert.fired to webhooks"
        checked={event}
        onChange={({ currentTarget }) => setEvent(currentTarget.checked)}
      />
    </fieldset>
  );
}

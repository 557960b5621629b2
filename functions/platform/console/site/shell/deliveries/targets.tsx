import type { Types } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, Field, SelectField, TextField } from '../../ui/field.tsx';
import type { Issues } from '../../ui/schema-form.tsx';

const TYPES = { slack: 'Slack', teams: 'Microsoft Teams', webhook: 'Webhook' } as const;
type Kept = Types.DeliveryTarget;
type TargetType = Types.ChangedDeliveryTarget['type'];

/** A channel as its form has it. Of a stored one, what is left empty stays as it is. */
export interface TargetDraft {
  /** The stored one; absent for one that is added. */
  kept?: Kept;
  type: TargetType;
  name: string;
  url: string;
  secret: string;
  dropsSecret: boolean;
  headers: string;
}

export const targetDraftsOf = (targets: readonly Kept[] = []): TargetDraft[] =>
  targets.map((kept) => ({ ...EMPTY, kept, type: kept.type as TargetType, name: kept.name }));

const EMPTY: TargetDraft = { type: 'slack', name: '', url: '', secret: '', dropsSecret: false, headers: '' };

/** What the API takes. Only what was entered of a stored one is sent; its address and secrets are never returned. */
export const targetsOf = (drafts: readonly TargetDraft[]): Types.ChangedDeliveryTarget[] =>
  drafts.map(({ kept, type, name, url, secret, dropsSecret, headers }) => ({
    ...(kept && { id: kept.id }),
    type,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...((!kept || url.trim() !== '') && { url: url.trim() }),
    ...(type === 'webhook' && dropsSecret && { secret: null }),
    ...(type === 'webhook' && secret !== '' && { secret }),
    ...(type === 'webhook' && headers.trim() !== '' && { headers: headersOf(headers) }),
  }));

/** One header a line, such as `Authorization: Bearer a`. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line))
      .flatMap((found) => (found ? [[found[1]!, found[2]!] as const] : [])),
  );

interface TargetsProps {
  value: readonly TargetDraft[];
  onChange(targets: readonly TargetDraft[]): void;
  /** Of the whole request. */
  issues: Issues | undefined;
  /** Where the targets are in the request, such as `/channels/targets`. */
  at: string;
}

/** Channels that get a message or a request. */
export function Targets({ value, onChange, issues = [], at }: TargetsProps) {
  const issueOfAll = issues.find(({ pointer }) => pointer === at)?.message;
  return (
    <fieldset class="field-group">
      <legend>Channels</legend>
      {issueOfAll !== undefined && <p class="issue">{issueOfAll}</p>}
      {value.map((target, index) => (
        <Target
          key={target.kept?.id ?? index}
          target={target}
          number={index + 1}
          issue={(...members) => issueAt(issues, `${at}/${index}`, members)}
          set={(change) => onChange(value.map((each, other) => (other === index ? { ...each, ...change } : each)))}
          remove={() => onChange(value.filter((_each, other) => other !== index))}
        />
      ))}
      <Button isSmall icon="plus" onClick={() => onChange([...value, EMPTY])}>
        Add a channel
      </Button>
    </fieldset>
  );
}

/** The message at one of the members of a target, or within it; of the target itself for an empty one. */
const issueAt = (issues: Issues, own: string, members: readonly string[]): string | undefined =>
  issues.find(({ pointer }) =>
    members.some((each) => pointer === own + each || (each !== '' && pointer.startsWith(`${own}${each}/`))),
  )?.message;

interface TargetProps {
  target: TargetDraft;
  number: number;
  /** The message at a member of the target. */
  issue(...members: string[]): string | undefined;
  set(change: Partial<TargetDraft>): void;
  remove(): void;
}

function Target({ target, number, issue, set, remove }: TargetProps) {
  const { kept, type, name, url } = target;
  return (
    <div class="entry-row">
      <div class="beside-fields">
        <SelectField
          label={`Type of channel ${number}`}
          disabled={kept !== undefined}
          value={type}
          issue={issue('/type')}
          onChange={({ currentTarget }) => set({ type: currentTarget.value as TargetType })}
        >
          {Object.entries(TYPES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field
          label={`Name of channel ${number}`}
          maxLength={200}
          placeholder="its host"
          issue={issue('', '/id', '/name')}
          value={name}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </div>
      <Field
        label={`Address of channel ${number}`}
        type="url"
        autocomplete="off"
        required={!kept}
        placeholder={kept ? `${kept.origin}/…` : ADDRESSES[type]}
        hint={
          kept
            ? 'The address is stored encrypted. Enter another one to replace it.'
            : 'Its host must be an allowed domain.'
        }
        issue={issue('/url')}
        value={url}
        onInput={({ currentTarget }) => set({ url: currentTarget.value })}
      />
      {type === 'webhook' && <OfWebhook target={target} number={number} issue={issue} set={set} />}
      <Button isSmall look="plain" icon="x" onClick={remove}>
        Remove channel {number}
      </Button>
    </div>
  );
}

const ADDRESSES: Readonly<Record<TargetType, string>> = {
  slack: 'https://hooks.slack.com/services/…',
  teams: 'https://….webhook.office.com/…',
  webhook: 'https://example.com/…',
};

/** What only requests to programs have. */
function OfWebhook({ target, number, issue, set }: Omit<TargetProps, 'remove'>) {
  const { kept, secret, dropsSecret, headers } = target;
  const names = Object.keys(kept?.headers ?? {});
  return (
    <>
      {!dropsSecret && (
        <Field
          label={`Secret of channel ${number}`}
          type="password"
          autocomplete="new-password"
          maxLength={512}
          placeholder={kept?.hasSecret ? 'kept' : undefined}
          hint="Signs the requests."
          issue={issue('/secret')}
          value={secret}
          onInput={({ currentTarget }) => set({ secret: currentTarget.value })}
        />
      )}
      {kept?.hasSecret && (
        <CheckField
          label={`Remove the secret of channel ${number}`}
          checked={dropsSecret}
          onChange={({ currentTarget }) => set({ dropsSecret: currentTarget.checked, secret: '' })}
        />
      )}
      <TextField
        label={`Headers of channel ${number}`}
        rows={2}
        autocomplete="off"
        hint={`One per line, such as “X-Team: data”. ${names.length > 0 ? `Kept unless you enter others: ${names.join(', ')}.` : 'They are stored encrypted.'}`}
        issue={issue('/headers')}
        value={headers}
        onInput={({ currentTarget }) => set({ headers: currentTarget.value })}
      />
    </>
  );
}

import { issueIn, issueOf, type Problem } from '../../data/problem.ts';
import { Field, TextField } from '../../ui/field.tsx';

/** What the form of a webhook holds, new or not. */
export interface ReceiverDraft {
  name: string;
  url: string;
  events: string[];
  /** One per line; those of a webhook that exists are replaced if any are entered. */
  headers: string;
  secret: string;
}

/** The members whose issues the fields show. */
export const FIELDS = ['name', 'url', 'events', 'secret', 'headers'];

export interface ReceiverFieldsProps {
  draft: ReceiverDraft;
  set(change: Partial<ReceiverDraft>): void;
  problem: Problem | undefined;
}

export const NameField = ({ draft, set, problem }: ReceiverFieldsProps) => (
  <Field
    label="Name"
    required
    maxLength={200}
    issue={issueOf(problem, 'name')}
    value={draft.name}
    onInput={({ currentTarget }) => set({ name: currentTarget.value })}
  />
);

export const AddressField = ({ draft, set, problem, hint }: ReceiverFieldsProps & { hint?: string }) => (
  <Field
    label="Address"
    type="url"
    required
    maxLength={2048}
    placeholder="https://hooks.example.com/analytics"
    hint={hint}
    issue={issueOf(problem, 'url')}
    value={draft.url}
    onInput={({ currentTarget }) => set({ url: currentTarget.value })}
  />
);

export const SecretField = ({
  draft,
  set,
  problem,
  isRequired = false,
}: ReceiverFieldsProps & { isRequired?: boolean }) => (
  <Field
    label="Secret"
    type="password"
    autocomplete="new-password"
    required={isRequired}
    maxLength={512}
    issue={issueOf(problem, 'secret')}
    value={draft.secret}
    onInput={({ currentTarget }) => set({ secret: currentTarget.value })}
  />
);

export const HeadersField = ({ draft, set, problem, hint }: ReceiverFieldsProps & { hint: string }) => (
  <TextField
    label="Headers"
    rows={3}
    spellcheck={false}
    hint={hint}
    issue={issueIn(problem, 'headers')}
    value={draft.headers}
    onInput={({ currentTarget }) => set({ headers: currentTarget.value })}
  />
);

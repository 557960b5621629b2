import type { Signal } from '@preact/signals';
import { issueIn, issueOf, type Problem } from '../../data/problem.ts';
import { MemberChecks } from '../../shell/member-choice.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import type { TermDraft } from './term-draft.ts';
import { STATUSES, statusText } from './term-words.ts';

interface TermFieldsProps {
  draft: Signal<TermDraft>;
  problem: Problem | undefined;
}

/** The members whose issues the fields show. */
export const FIELDS = [
  'name',
  'definition',
  'examples',
  'abbreviation',
  'synonyms',
  'hiddenSynonyms',
  'tags',
  'status',
];

/** The fields of a term. */
export function TermFields({ draft: signal, problem }: TermFieldsProps) {
  const draft = signal.value;
  const set = (change: Partial<TermDraft>) => {
    signal.value = { ...signal.peek(), ...change };
  };
  const text = (member: 'name' | 'abbreviation' | 'synonyms' | 'hiddenSynonyms' | 'tags') => ({
    issue: issueIn(problem, member),
    value: draft[member],
    onInput: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => set({ [member]: value }),
  });
  return (
    <>
      <Field label="Name" required maxLength={200} {...text('name')} />
      <TextField
        label="Definition"
        required
        rows={4}
        issue={issueOf(problem, 'definition')}
        value={draft.definition}
        onInput={({ currentTarget: { value } }) => set({ definition: value })}
      />
      <TextField
        label="Examples"
        rows={2}
        issue={issueOf(problem, 'examples')}
        value={draft.examples}
        onInput={({ currentTarget: { value } }) => set({ examples: value })}
      />
      <Field label="Abbreviation" {...text('abbreviation')} />
      <Field label="Synonyms" hint="Separated by commas." {...text('synonyms')} />
      <Field
        label="Also found by"
        hint="Misspellings and old names, separated by commas."
        {...text('hiddenSynonyms')}
      />
      <Field label="Tags" hint="Separated by commas." {...text('tags')} />
      <SelectField
        label="Status"
        hint="Admins and reviewers approve terms. Changes of approved terms by others become proposals."
        issue={issueOf(problem, 'status')}
        value={draft.status}
        onChange={({ currentTarget: { value } }) => set({ status: value })}
      >
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {statusText(status)}
          </option>
        ))}
      </SelectField>
      <MemberChecks legend="Owners" userIds={draft.ownerIds} change={(ownerIds) => set({ ownerIds })} />
    </>
  );
}

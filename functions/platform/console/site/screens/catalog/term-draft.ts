import type { Types } from '../../data/client.ts';

/** A term as its form has it: lists are texts with commas. */
export interface TermDraft {
  name: string;
  definition: string;
  abbreviation: string;
  synonyms: string;
  hiddenSynonyms: string;
  examples: string;
  tags: string;
  status: string;
  ownerIds: readonly string[];
}

export const NEW_TERM: TermDraft = {
  name: '',
  definition: '',
  abbreviation: '',
  synonyms: '',
  hiddenSynonyms: '',
  examples: '',
  tags: '',
  status: 'draft',
  ownerIds: [],
};

export const TERM_LABELS = {
  name: 'Name',
  definition: 'Definition',
  abbreviation: 'Abbreviation',
  synonyms: 'Synonyms',
  hiddenSynonyms: 'Also found by',
  examples: 'Examples',
  tags: 'Tags',
  status: 'Status',
  ownerIds: 'Owners',
};

export const draftOf = (term: Types.Term): TermDraft => ({
  name: term.name,
  definition: term.definition,
  abbreviation: term.abbreviation ?? '',
  synonyms: term.synonyms.join(', '),
  hiddenSynonyms: term.hiddenSynonyms.join(', '),
  examples: term.examples ?? '',
  tags: term.tags.join(', '),
  status: term.status,
  ownerIds: term.ownerIds,
});

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** What the API takes. Of a change, only what differs: a proposal then has nothing else. */
export function bodyOf(draft: TermDraft, before?: TermDraft): Types.CreateTerm {
  const changed = (Object.keys(draft) as (keyof TermDraft)[]).filter(
    (member) => !before || JSON.stringify(draft[member]) !== JSON.stringify(before[member]),
  );
  const body: Types.CreateTerm = {
    name: draft.name.trim(),
    definition: draft.definition.trim(),
    abbreviation: draft.abbreviation.trim() || null,
    synonyms: listOf(draft.synonyms),
    hiddenSynonyms: listOf(draft.hiddenSynonyms),
    examples: draft.examples.trim() || null,
    tags: listOf(draft.tags),
    status: draft.status as 'draft',
    ownerIds: [...draft.ownerIds],
  };
  return Object.fromEntries(
    Object.entries(body).filter(([member]) => changed.includes(member as keyof TermDraft)),
  ) as unknown as Types.CreateTerm;
}

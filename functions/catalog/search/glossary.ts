import { type Thesaurus, thesaurusOf } from '../../../shared/domains/catalog/search/index.ts';
import type { TermRecord } from '../../../shared/domains/catalog/terms/index.ts';

/** Names of one thing that reviewers have approved, as other words for each other. */
export interface Glossary {
  thesaurus: Thesaurus;
  /** The states of the terms that it is made from. */
  state: string;
}

/** The same glossary as before if no term has changed. */
export function glossaryOf(terms: readonly TermRecord[], before: Glossary | undefined): Glossary {
  const approved = terms.filter(({ status }) => status === 'approved');
  const state = approved.map(({ id, revision }) => `${id} ${revision}`).join();
  if (before?.state === state) return before;
  const namesOf = ({ name, abbreviation, synonyms, hiddenSynonyms }: TermRecord) => [
    ...[name, ...(abbreviation ? [abbreviation] : []), ...synonyms, ...hiddenSynonyms],
  ];
  return { thesaurus: thesaurusOf(approved.map(namesOf)), state };
}

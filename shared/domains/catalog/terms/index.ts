/** The public API of this domain; everything else is internal. */
export { type EndedTerm, termCleanUps } from './clean-ups.ts';
export { type DeletedTerm, type DeletedTerms, deletedTerms } from './deleted-terms.ts';
export { type ExportedTerm, writeTerms } from './imports/csv.ts';
export { importItems, readTerms } from './imports/import-items.ts';
export type { Glossary, ImportAuthor, ImportPlan } from './imports/import-plan.ts';
export { namedTerms, planImport } from './imports/plan-import.ts';
export { MAX_IMPORTED_TERMS, readImport } from './imports/read-import.ts';
export {
  abandonImport,
  assertNoImport,
  beginImport,
  continueImport,
  decideImport,
  type EndedImport,
  noImport,
  type RunningImport,
  termImportCleanUps,
  writeImport,
} from './imports/running-import.ts';
export { readRelations, type StoredRelation } from './imports/stored-relations.ts';
export { type TermLinks, termLinks } from './links.ts';
export { type TermProposals, termProposals } from './proposals.ts';
export {
  changedContent,
  foldTags,
  isNamedReviewer,
  isProtected,
  LINK_ROLES,
  LINKED_TYPES,
  membershipsOf,
  type NamedTerm,
  PROPOSAL_STATES,
  RELATIONS,
  type Relation,
  type ShownTerm,
  TERM_STATUSES,
  type TermContent,
  type TermLink,
  type TermProposal,
  type TermRecord,
  termMembers,
  termRecord,
} from './records.ts';
export { type RelationsOf, type TermRelations, termRelations } from './relations.ts';
export { type TermRepository, termRepository } from './repository.ts';
export { TERM_SUBJECT } from './term-subject.ts';

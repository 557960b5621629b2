import { uniqueKey } from '../../../../platform/storage/keys.ts';
import type { Membership, ShownTerm, TermContent, TermProposal, TermRecord } from '../records.ts';
import type { ColumnRelation } from './csv.ts';
import type { ImportedTerm } from './read-import.ts';
import type { StoredRelation } from './stored-relations.ts';

/** The terms of a workspace at one moment. */
export interface Glossary {
  terms: readonly TermRecord[];
  relations: readonly StoredRelation[];
  /** Terms as people see them, of those that the import names. */
  shown: ReadonlyMap<string, ShownTerm>;
  /** The members among the owners and reviewers that the import names. */
  members: ReadonlyMap<string, Membership>;
}

export interface ImportAuthor {
  workspaceId: string;
  userId: string;
  /** Whether the author approves all terms. */
  mayApprove: boolean;
  reviews(term: TermRecord): boolean;
}

export interface PlannedTerm {
  row: ImportedTerm;
  before: TermRecord | undefined;
  after: TermRecord;
  /** The members that change, also those that a proposal would change. */
  members: readonly (keyof TermContent | ColumnRelation)[];
  /** A change that its author may not make. */
  proposal?: TermProposal;
}

export interface ImportPlan {
  terms: readonly PlannedTerm[];
  relations: { added: readonly StoredRelation[]; removed: readonly StoredRelation[] };
}

/** Two names that are the same name. */
export const foldName = (name: string): string => uniqueKey('', name).sk;

import {
  type DeletedTerms,
  isNamedReviewer,
  type NamedTerm,
  type RelationsOf,
  type ShownTerm,
  type TermLinks,
  type TermProposals,
  type TermRecord,
  type TermRelations,
  type TermRepository,
} from '../../../../../shared/domains/catalog/terms/index.ts';
import type { Subjects } from '../../../../../shared/domains/tenancy/subjects/index.ts';
import type { StoredMember } from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { ReadRule } from '../../../../../shared/platform/entitlements/may-read.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { Ended } from '../../../../../shared/platform/storage/clean-ups.ts';
import type { TransactItem } from '../../../../../shared/platform/storage/table.ts';
import type { TermDetails } from '../schemas.ts';

export interface TermDeps {
  terms: TermRepository;
  deleted: DeletedTerms;
  relations: TermRelations;
  links: TermLinks;
  proposals: TermProposals;
  subjects: Subjects;
  /** Those of the users who are members. */
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, StoredMember>>;
  /** Whether the caller may read objects of the kind at all. */
  mayRead(principal: Principal, rule: ReadRule): Promise<boolean>;
  cleanUpItem(ended: Ended, at: Date): TransactItem;
  now(): Date;
}

export interface OfTerm {
  principal: Principal;
  id: string;
}

/** Throws `TERM_NOT_FOUND`. */
export async function findTerm({ terms }: Pick<TermDeps, 'terms'>, { workspaceId, id }: NamedTerm) {
  const term = await terms.get(workspaceId, id);
  if (!term) throw new AppError('TERM_NOT_FOUND');
  return term;
}

/** A person reviews, not the keys that the person has made. */
export const isReviewer = (principal: Principal, term: TermRecord): boolean =>
  isPermitted('catalog:approve', principal) || (principal.kind === 'user' && isNamedReviewer(term, principal));

export async function showTerm(
  deps: Pick<TermDeps, 'terms' | 'relations' | 'members'>,
  term: TermRecord,
): Promise<TermDetails> {
  const [[shown], relations] = await Promise.all([showTerms(deps, [term]), showRelations(deps, term)]);
  return { ...shown!, relations };
}

/** With those alone among their reviewers who are it still. */
export async function showTerms(
  { members }: Pick<TermDeps, 'members'>,
  terms: readonly TermRecord[],
): Promise<ShownTerm[]> {
  const userIds = [...new Set(terms.flatMap(({ reviewerIds }) => reviewerIds))];
  const known = userIds.length > 0 ? await members(terms[0]!.workspaceId, userIds) : new Map();
  return terms.map(({ reviewerMemberships, ...term }) => ({
    ...term,
    reviewerIds: term.reviewerIds.filter((userId) => {
      const member = known.get(userId);
      return member !== undefined && isNamedReviewer({ ...term, reviewerMemberships }, member);
    }),
  }));
}

/** The related terms, in order of their names. */
export async function showRelations(
  { terms, relations }: Pick<TermDeps, 'terms' | 'relations'>,
  term: NamedTerm,
): Promise<TermDetails['relations']> {
  const ids: RelationsOf = await relations.read(term);
  const found = await terms.getMany(term.workspaceId, [...new Set(Object.values(ids).flat())]);
  const sorted = found
    .map(({ id, name, status }) => ({ id, name, status }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  const named = (wanted: readonly string[]) => sorted.filter(({ id }) => wanted.includes(id));
  return {
    broader: named(ids.broader),
    narrower: named(ids.narrower),
    related: named(ids.related),
    replacedBy: named(ids.replacedBy),
    replaces: named(ids.replaces),
  };
}

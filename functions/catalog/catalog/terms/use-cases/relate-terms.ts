import { isProtected, type Relation, type TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { findTerm, isReviewer, type OfTerm, type TermDeps } from './context.ts';

type OfRelation = OfTerm & { relation: Relation; termId: string };

/**
 * Throws `TERM_NOT_FOUND` for either term, `TERM_REVIEWERS_ONLY`, `TERM_CYCLE`, `TERM_TOO_DEEP` and `TERM_FULL`.
 */
export async function addRelation(deps: TermDeps, request: OfRelation): Promise<void> {
  const { term, other } = await relatedTerms(deps, request);
  await deps.relations.add(term, request.relation, other);
}

/** Throws `TERM_NOT_FOUND` for either term, and `TERM_REVIEWERS_ONLY`. */
export async function removeRelation(deps: TermDeps, request: OfRelation): Promise<void> {
  const { term, other } = await relatedTerms(deps, request);
  await deps.relations.remove(term, request.relation, other.id);
}

/** A relation shows on both terms, but it says something about the first one, whose reviewers it needs. */
async function relatedTerms(deps: TermDeps, { principal, id, relation, termId }: OfRelation) {
  const { workspaceId } = principal;
  const term = await findTerm(deps, { workspaceId, id });
  const other = await findTerm(deps, { workspaceId, id: termId });
  assertMayChange(principal, describedTerm(relation, term, other));
  return { term, other };
}

/** The one of the two that the relation says something about. */
export const describedTerm = (relation: Relation, term: TermRecord, other: TermRecord): TermRecord =>
  relation === 'narrower' || relation === 'replaces' ? other : term;

/** Throws `TERM_REVIEWERS_ONLY`. */
export function assertMayChange(principal: Principal, term: TermRecord): void {
  if (!mayChange(principal, term)) throw new AppError('TERM_REVIEWERS_ONLY');
}

export const mayChange = (principal: Principal, term: TermRecord): boolean =>
  !isProtected(term) || isReviewer(principal, term);

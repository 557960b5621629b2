import {
  changedContent,
  foldTags,
  isProtected,
  membershipsOf,
  type TermContent,
  type TermProposal,
  type TermRecord,
} from '../../../../../shared/domains/catalog/terms/index.ts';
import type { StoredMember } from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../../shared/platform/errors/app-error.ts';
import { assertExpected } from '../../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { CreateTerm, TermDetails, UpdatedTerm, UpdateTerm } from '../schemas.ts';
import { findTerm, isReviewer, type OfTerm, showTerm, showTerms, type TermDeps } from './context.ts';
import { showProposal } from './show-proposal.ts';

/** Throws `TERM_NAME_TAKEN`, `TERM_REVIEWERS_ONLY`, and `VALIDATION_FAILED` with everyone who is not a member. */
export async function createTerm(
  deps: TermDeps,
  { id, principal, term }: OfTerm & { term: CreateTerm },
): Promise<TermDetails> {
  const { workspaceId, userId } = principal;
  const content = { ...term, tags: foldTags(term.tags) };
  // Otherwise the first step to approving a text alone would be to name oneself.
  const isOwnReviewer = content.reviewerIds.includes(userId);
  if ((isProtected(content) || isOwnReviewer) && !isPermitted('catalog:approve', principal)) {
    const detail = isOwnReviewer
      ? 'Only admins name themselves as reviewers. Name another person, or ask an admin.'
      : 'Only admins create terms that are approved or deprecated. Create a draft, and ask an admin to approve it.';
    throw new AppError('TERM_REVIEWERS_ONLY', { detail });
  }
  const members = await checkPeople(deps, workspaceId, content);
  const at = deps.now().toISOString();
  const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at, revision: 1 };
  const reviewerMemberships = membershipsOf(members, content.reviewerIds);
  return showTerm(deps, await deps.terms.create({ id, workspaceId, ...content, reviewerMemberships, ...stamps }));
}

/**
 * Changes the term, or proposes the change. Throws `TERM_NOT_FOUND`, `TERM_NAME_TAKEN`, `TERM_REVIEWERS_ONLY`, and
 * `VALIDATION_FAILED` with everyone who is not a member.
 */
export async function updateTerm(
  deps: TermDeps,
  { id, newId, principal, change }: OfTerm & { newId: string; change: UpdateTerm },
): Promise<UpdatedTerm> {
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findTerm(deps, { workspaceId, id });
    const wanted: Partial<TermContent> = { ...change, ...(change.tags && { tags: foldTags(change.tags) }) };
    // Naming a reviewer again who has left and come back is a change.
    const [shown] = await showTerms(deps, [before]);
    const changes = changedContent(shown!, wanted);
    const members = await checkPeople(deps, workspaceId, changes);
    const mayApprove = isReviewer(principal, before);
    if (!mayApprove && 'reviewerIds' in changes) throw new AppError('TERM_REVIEWERS_ONLY');
    if (!mayApprove && isProtected(before)) {
      const proposal = await propose(deps, { id: newId, principal, term: before, changes });
      return { ...(await showTerm(deps, before)), proposal };
    }
    const next: TermRecord = {
      ...before,
      ...changes,
      ...(changes.reviewerIds && { reviewerMemberships: membershipsOf(members, changes.reviewerIds) }),
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    if (!mayApprove && isProtected(next)) throw new AppError('TERM_REVIEWERS_ONLY');
    return { ...(await showTerm(deps, await deps.terms.replace(before, next))), proposal: null };
  });
}

/** Null if the change would change nothing. */
async function propose(
  deps: TermDeps,
  { id, principal, term, changes }: OfTerm & { principal: Principal; term: TermRecord; changes: Partial<TermContent> },
) {
  assertExpected(term.id, term.revision);
  if (Object.keys(changes).length === 0) return null;
  const members = Object.keys(changes) as (keyof TermContent)[];
  const proposal: TermProposal = {
    id,
    workspaceId: term.workspaceId,
    termId: term.id,
    proposedBy: principal.userId,
    changes,
    before: Object.fromEntries(members.map((member) => [member, term[member]])),
    state: 'open',
    reason: null,
    decidedBy: null,
    decidedAt: null,
    createdAt: deps.now().toISOString(),
  };
  const earlier = (await deps.proposals.read(term)).find(({ proposedBy }) => proposedBy === principal.userId);
  await deps.proposals.put(term, proposal, earlier);
  return showProposal(proposal);
}

async function checkPeople(
  deps: Pick<TermDeps, 'members'>,
  workspaceId: string,
  { ownerIds = [], reviewerIds = [] }: Partial<TermContent>,
): Promise<ReadonlyMap<string, StoredMember>> {
  const members = await deps.members(workspaceId, [...ownerIds, ...reviewerIds]);
  const issues = Object.entries({ ownerIds, reviewerIds }).flatMap(([list, ids]) =>
    ids.flatMap((userId, index): Issue[] =>
      members.has(userId)
        ? []
        : [{ pointer: `/${list}/${index}`, code: 'NOT_A_MEMBER', message: 'is not a member of the workspace' }],
    ),
  );
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return members;
}

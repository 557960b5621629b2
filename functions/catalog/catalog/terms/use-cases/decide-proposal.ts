import type { NamedTerm, TermProposal as StoredProposal } from '../../../../../shared/domains/catalog/terms/index.ts';
import { changedContent } from '../../../../../shared/domains/catalog/terms/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import type { TermDetails, TermProposal } from '../schemas.ts';
import { findTerm, isReviewer, type OfTerm, showTerm, type TermDeps } from './context.ts';
import { showProposal } from './show-proposal.ts';

type OfProposal = OfTerm & { proposalId: string };

/** Throws `TERM_NOT_FOUND`. */
export async function listProposals(
  deps: TermDeps,
  named: NamedTerm,
  { limit, offset }: { limit: number; offset: number },
): Promise<PageOf<TermProposal>> {
  const all = await deps.proposals.read(await findTerm(deps, named));
  return { items: all.slice(offset, offset + limit).map(showProposal), total: all.length, limit, offset };
}

/**
 * Accepting it again changes nothing. Throws `TERM_NOT_FOUND`, `TERM_PROPOSAL_NOT_FOUND`, `TERM_REVIEWERS_ONLY`,
 * `TERM_PROPOSAL_DECIDED` if it was rejected, `TERM_PROPOSAL_STALE` if what it changes has changed since, and
 * `TERM_NAME_TAKEN`.
 */
export function acceptProposal(deps: TermDeps, request: OfProposal): Promise<TermDetails> {
  return onNewest('STALE_WRITE', async () => {
    const { term, proposal } = await findProposal(deps, request);
    // The term was read before the proposal, so it may lack the change.
    if (proposal.state === 'accepted') return showTerm(deps, await findTerm(deps, term));
    if (proposal.state === 'rejected') throw new AppError('TERM_PROPOSAL_DECIDED');
    if (Object.keys(changedContent(term, proposal.before)).length > 0) throw new AppError('TERM_PROPOSAL_STALE');
    const accepted = decidedBy(deps, request, proposal, 'accepted');
    const next = {
      ...term,
      ...proposal.changes,
      updatedBy: request.principal.userId,
      updatedAt: later(term.updatedAt, deps.now()),
    };
    return showTerm(deps, await deps.terms.replace(term, next, [deps.proposals.decided(term, accepted)]));
  });
}

/**
 * The proposal stays, for the person who made it. Rejecting it again changes nothing. Throws `TERM_NOT_FOUND`,
 * `TERM_PROPOSAL_NOT_FOUND`, `TERM_REVIEWERS_ONLY`, and `TERM_PROPOSAL_DECIDED` if it was accepted.
 */
export function rejectProposal(
  deps: TermDeps,
  { reason = null, ...request }: OfProposal & { reason?: string | null | undefined },
): Promise<TermProposal> {
  return onNewest('STALE_WRITE', async () => {
    const { term, proposal } = await findProposal(deps, request);
    if (proposal.state === 'rejected') return showProposal(proposal);
    if (proposal.state === 'accepted') throw new AppError('TERM_PROPOSAL_DECIDED');
    const rejected = { ...decidedBy(deps, request, proposal, 'rejected'), reason };
    await deps.proposals.reject(term, rejected);
    return showProposal(rejected);
  });
}

async function findProposal(deps: TermDeps, { principal, id, proposalId }: OfProposal) {
  const term = await findTerm(deps, { workspaceId: principal.workspaceId, id });
  const proposal = (await deps.proposals.read(term)).find((each) => each.id === proposalId);
  if (!proposal) throw new AppError('TERM_PROPOSAL_NOT_FOUND');
  if (!isReviewer(principal, term)) throw new AppError('TERM_REVIEWERS_ONLY');
  return { term, proposal };
}

const decidedBy = (
  deps: TermDeps,
  { principal }: OfProposal,
  proposal: StoredProposal,
  state: 'accepted' | 'rejected',
): StoredProposal => ({
  ...proposal,
  state,
  decidedBy: principal.userId,
  decidedAt: deps.now().toISOString(),
});

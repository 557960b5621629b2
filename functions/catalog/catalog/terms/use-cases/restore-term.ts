import { purgeAt } from '../../../../../shared/domains/boards/dashboards/index.ts';
import type { TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { RestoreTerm, TermDetails } from '../schemas.ts';
import { type OfTerm, showTerm, type TermDeps } from './context.ts';
import { assertMayChange, describedTerm, mayChange } from './relate-terms.ts';

/** Throws `TERM_NOT_FOUND`, `TERM_REVIEWERS_ONLY`, and `TERM_NAME_TAKEN` if another term has its name by now. */
export async function restoreTerm(deps: TermDeps, { principal, id, name }: OfTerm & RestoreTerm): Promise<TermDetails> {
  const { workspaceId, userId } = principal;
  const term = await onNewest('STALE_WRITE', async () => {
    // Read before the term, so that one that is restored in between is found.
    const deleted = await deps.deleted.get(workspaceId, id);
    if (!deleted) {
      const current = await deps.terms.get(workspaceId, id);
      if (!current) throw new AppError('TERM_NOT_FOUND');
      return current;
    }
    if (purgeAt(deleted.updatedAt) <= deps.now()) throw new AppError('TERM_NOT_FOUND');
    assertMayChange(principal, deleted);
    const { relations, ...before } = deleted;
    return deps.terms.restore(deleted, {
      ...before,
      name: name ?? before.name,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
      revision: before.revision + 1,
    });
  });
  await restoreRelations(deps, principal, term);
  return showTerm(deps, term);
}

/** What other relations have made impossible since. */
const LOST = ['TERM_NOT_FOUND', 'TERM_CYCLE', 'TERM_TOO_DEEP', 'TERM_FULL'];

/** They are stored until all are back, so that a repeated request continues after a crash. */
async function restoreRelations(deps: TermDeps, principal: Principal, term: TermRecord): Promise<void> {
  const kept = await deps.deleted.keptRelations(term);
  if (kept.length === 0) return;
  const otherIds = new Set(kept.map(({ termId }) => termId));
  const others = await deps.terms.getMany(term.workspaceId, [...otherIds]);
  // One after the other: each may be what makes the next one a circle.
  for (const { relation, termId } of kept) {
    const other = others.find(({ id }) => id === termId);
    if (!other || !mayChange(principal, describedTerm(relation, term, other))) continue;
    try {
      await deps.relations.add(term, relation, other);
    } catch (error) {
      if (!(error instanceof AppError && LOST.includes(error.code))) throw error;
    }
  }
  await deps.deleted.dropKeptRelations(term);
}

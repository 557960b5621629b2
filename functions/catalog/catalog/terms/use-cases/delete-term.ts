import { purgeAt } from '../../../../../shared/domains/boards/dashboards/index.ts';
import {
  type DeletedTerm,
  type EndedTerm,
  RELATIONS,
  type TermRecord,
} from '../../../../../shared/domains/catalog/terms/index.ts';
import { inParallel } from '../../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { assertExpected } from '../../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import { findTerm, type OfTerm, showRelations, type TermDeps } from './context.ts';
import { visibleLinks } from './link-term.ts';
import { assertMayChange } from './relate-terms.ts';

const WIDTH = 5;

/**
 * Throws `TERM_NOT_FOUND`, `TERM_REVIEWERS_ONLY`, and without `detach` `REFERENCED` with the related terms and linked
 * objects that the caller can see. Links to other objects are no reason, so that their existence stays hidden.
 */
export async function deleteTerm(
  deps: TermDeps,
  { principal, id, detach }: OfTerm & { detach: boolean },
): Promise<{ id: string }> {
  const { workspaceId } = principal;
  const ended: EndedTerm = { kind: 'term', workspaceId, termId: id };
  // Those of all tries: one that is repeated has removed some.
  const relations = new Map<string, DeletedTerm['relations'][number]>();
  await onNewest('STALE_WRITE', async () => {
    const term = await findTerm(deps, { workspaceId, id });
    assertExpected(id, term.revision);
    assertMayChange(principal, term);
    // Read first: what changes afterwards fails the deletion.
    const changes = detach ? null : await deps.terms.changesOfUses(term);
    if (detach) for (const each of await endRelations(deps, term)) relations.set(Object.values(each).join(), each);
    else await assertUnused(deps, principal, term);
    const at = deps.now();
    const stamps = { updatedBy: principal.userId, updatedAt: later(term.updatedAt, at) };
    const deleted = { ...term, ...stamps, relations: [...relations.values()] };
    await deps.terms.remove(term, deleted, changes, [deps.cleanUpItem(ended, purgeAt(stamps.updatedAt))]);
  });
  return { id };
}

/** Throws `REFERENCED`. */
async function assertUnused(deps: TermDeps, principal: OfTerm['principal'], term: TermRecord): Promise<void> {
  const links = await deps.links.read(term);
  const [related, visible] = await Promise.all([showRelations(deps, term), visibleLinks(deps, principal, links)]);
  const referencedBy = [
    ...Object.values(related)
      .flat()
      .map(({ id, name }) => ({ type: 'term', id, name })),
    ...visible.map(({ type, objectId, name }) => ({ type, id: objectId, name })),
  ];
  if (referencedBy.length > 0) throw new AppError('REFERENCED', { members: { referencedBy } });
}

/** Other terms have them too. Returns what has ended. */
async function endRelations(deps: TermDeps, term: TermRecord): Promise<DeletedTerm['relations']> {
  const related = await deps.relations.read(term);
  const all = RELATIONS.flatMap((relation) => related[relation].map((termId) => ({ relation, termId })));
  await inParallel(WIDTH, all, ({ relation, termId }) => deps.relations.remove(term, relation, termId));
  return all;
}

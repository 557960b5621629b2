import type { NamedTerm, TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import { searching } from '../../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import type { Term, TermDetails, TermListQuery } from '../schemas.ts';
import { findTerm, showTerm, showTerms, type TermDeps } from './context.ts';

export async function listTerms(
  deps: Pick<TermDeps, 'terms' | 'members'>,
  workspaceId: string,
  { search, status, ...request }: TermListQuery,
): Promise<PageOf<Term>> {
  const matches = searching(search, ({ name, abbreviation, synonyms, hiddenSynonyms, definition }: TermRecord) => [
    ...[name, abbreviation ?? '', definition],
    ...synonyms,
    ...hiddenSynonyms,
  ]);
  const { items, ...page } = await deps.terms.list(workspaceId, { ...request, having: { status }, matches });
  return { ...page, items: await showTerms(deps, items) };
}

/** Throws `TERM_NOT_FOUND`. */
export async function termDetails(deps: TermDeps, named: NamedTerm): Promise<TermDetails> {
  return showTerm(deps, await findTerm(deps, named));
}

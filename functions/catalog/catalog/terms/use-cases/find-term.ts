import type { NamedTerm, TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import { searching } from '../../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import type { Term, TermDetails, TermListQuery } from '../schemas.ts';
import { findTerm, showTerm, type TermDeps } from './context.ts';

export function listTerms(
  { terms }: Pick<TermDeps, 'terms'>,
  workspaceId: string,
  { search, status, ...request }: TermListQuery,
): Promise<PageOf<Term>> {
  const matches = searching(search, ({ name, abbreviation, synonyms, hiddenSynonyms, definition }: TermRecord) => [
    ...[name, abbreviation ?? '', definition],
    ...synonyms,
    ...hiddenSynonyms,
  ]);
  return terms.list(workspaceId, { ...request, having: { status }, matches });
}

/** Throws `TERM_NOT_FOUND`. */
export async function termDetails(deps: TermDeps, named: NamedTerm): Promise<TermDetails> {
  return showTerm(deps, await findTerm(deps, named));
}

import type { NamedTerm, TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import { searching } from '../../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import { foldLabel } from '../../../../../shared/platform/text/fold-label.ts';
import type { Term, TermDetails, TermListQuery } from '../schemas.ts';
import { findTerm, showTerm, showTerms, type TermDeps } from './context.ts';

export async function listTerms(
  deps: Pick<TermDeps, 'terms' | 'members'>,
  workspaceId: string,
  { search, status, names, ...request }: TermListQuery,
): Promise<PageOf<Term>> {
  const matches = searching(search, ({ name, abbreviation, synonyms, hiddenSynonyms, definition }: TermRecord) => [
    ...[name, abbreviation ?? '', definition],
    ...synonyms,
    ...hiddenSynonyms,
  ]);
  const isCalled = callingFor(names);
  const { items, ...page } = await deps.terms.list(workspaceId, {
    ...{ ...request, having: { status } },
    matches: isCalled ? (term) => isCalled(term) && (matches?.(term) ?? true) : matches,
  });
  return { ...page, items: await showTerms(deps, items) };
}

/** Whether a term goes by one of the names; undefined if none are given. */
function callingFor(names: string | undefined): ((term: TermRecord) => boolean) | undefined {
  if (names === undefined) return undefined;
  const wanted = new Set(names.split('|').map(foldLabel).filter(Boolean));
  return ({ name, abbreviation, synonyms }) =>
    [name, abbreviation ?? '', ...synonyms].some((each) => wanted.has(foldLabel(each)));
}

/** Throws `TERM_NOT_FOUND`. */
export async function termDetails(deps: TermDeps, named: NamedTerm): Promise<TermDetails> {
  return showTerm(deps, await findTerm(deps, named));
}

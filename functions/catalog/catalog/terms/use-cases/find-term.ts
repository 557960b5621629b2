import type { DeletedTerm, NamedTerm, TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { searching, selectPage } from '../../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import { foldLabel } from '../../../../../shared/platform/text/fold-label.ts';
import type { Term, TermDetails, TermListQuery } from '../schemas.ts';
import { findTerm, showTerm, showTerms, type TermDeps } from './context.ts';

export async function listTerms(
  deps: Pick<TermDeps, 'terms' | 'deleted' | 'members'>,
  principal: Principal,
  { search, status, names, deleted, ...request }: TermListQuery,
): Promise<PageOf<Term>> {
  const { workspaceId } = principal;
  const matches = searching(search, ({ name, abbreviation, synonyms, hiddenSynonyms, definition }: TermRecord) => [
    ...[name, abbreviation ?? '', definition],
    ...synonyms,
    ...hiddenSynonyms,
  ]);
  const isCalled = callingFor(names);
  const wanted = {
    ...{ ...request, having: { status } },
    matches: isCalled ? (term: TermRecord) => isCalled(term) && (matches?.(term) ?? true) : matches,
  };
  if (deleted) {
    if (!isPermitted('catalog:write', principal)) throw new AppError('FORBIDDEN');
    const { items, ...page } = await deps.deleted.list(workspaceId, wanted);
    return { ...page, items: await showTerms(deps, items.map(withoutRelations)) };
  }
  const { items, ...page } = await deps.terms.list(workspaceId, wanted).catch(async (error: unknown) => {
    const isTooLarge = error instanceof AppError && error.code === 'LIST_TOO_LARGE';
    if (names === undefined || !isTooLarge) throw error;
    return selectPage(await termsNamed(deps, workspaceId, names), wanted);
  });
  return { ...page, items: await showTerms(deps, items) };
}

const withoutRelations = ({ relations, ...term }: DeletedTerm): TermRecord => term;

/** Of a glossary that is too large to be read as a whole, those that have one of the names as their own. */
function termsNamed({ terms }: Pick<TermDeps, 'terms'>, workspaceId: string, names: string): Promise<TermRecord[]> {
  const labels = labelsOf(names);
  return terms.findMany(workspaceId, [...new Set(labels.flatMap((label) => [label, label.replaceAll(' ', '_')]))]);
}

const labelsOf = (names: string): string[] => names.split('|').map(foldLabel).filter(Boolean);

/** Whether a term goes by one of the names; undefined if none are given. */
function callingFor(names: string | undefined): ((term: TermRecord) => boolean) | undefined {
  if (names === undefined) return undefined;
  const wanted = new Set(labelsOf(names));
  return ({ name, abbreviation, synonyms }) =>
    [name, abbreviation ?? '', ...synonyms].some((each) => wanted.has(foldLabel(each)));
}

/** Throws `TERM_NOT_FOUND`. */
export async function termDetails(deps: TermDeps, named: NamedTerm): Promise<TermDetails> {
  return showTerm(deps, await findTerm(deps, named));
}

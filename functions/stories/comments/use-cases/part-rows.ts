import { subjectOf } from '../../../../shared/domains/boards/cards/index.ts';
import { isProtectedSource } from '../../../../shared/domains/boards/charts/index.ts';
import type { RowSource, SubjectPart } from '../../../../shared/domains/tenancy/subjects/index.ts';
import type { CommentDeps } from './context.ts';

type Deps = Pick<CommentDeps, 'charts'>;

/** Where the rows of a part come from; none if it shows no rows, or if that is not known. */
export async function rowSources(part: SubjectPart | undefined): Promise<readonly RowSource[]> {
  if (part?.source) return [part.source];
  const found = await part?.readSources?.();
  return found === undefined || found === 'unknown' ? [] : found;
}

/** What rows of these sources are about: after a change of the sources, they may be other ones. */
export async function rowsSubject({ charts }: Deps, workspaceId: string, sources: readonly RowSource[]) {
  const subjects = await Promise.all(sources.map((source) => subjectOf(charts, workspaceId, { source })));
  return [...new Set(subjects)].join(' ');
}

export async function anyProtected({ charts }: Deps, workspaceId: string, sources: readonly RowSource[]) {
  const found = await Promise.all(sources.map((source) => isProtectedSource(charts, workspaceId, source)));
  return found.includes(true);
}

import {
  type Anchor,
  type CommentContext,
  contextOf,
  isTextContext,
  partName,
  partOf,
} from '../../../../shared/domains/stories/comments/index.ts';
import type { FollowedWords } from '../../../../shared/domains/tenancy/subjects/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { CommentDeps } from './context.ts';
import type { Discussed } from './find-object.ts';
import { rowSources, rowsSubject } from './part-rows.ts';

/** What a thread is about, as it is stored. */
export interface CheckedContext {
  context: CommentContext;
  anchor?: Anchor;
  rowsOf?: string;
  words?: FollowedWords;
}

/**
 * The context of a new thread, or of one that is set anew. Throws `VALIDATION_FAILED` if the object has no such part,
 * and what finding words in a text throws.
 */
export async function checkContext(
  deps: Pick<CommentDeps, 'table' | 'charts'>,
  object: Discussed,
  given: CommentContext | undefined,
): Promise<{ checked: CheckedContext; unchanged: TransactItem[] }> {
  const { kind, parts, part, place, principal } = object;
  const context = given ?? (part ? contextOf(part.type, part.id) : { kind: 'object' });
  const issue = contextIssue(object, context);
  if (issue) throw new AppError('VALIDATION_FAILED', { errors: [issue] });
  if (isTextContext(context)) {
    const { unchanged, ...checked } = await kind.anchorText!(deps.table, principal, place.id, context);
    return { checked, unchanged };
  }
  const named = parts.get(partName(partOf(context) ?? { type: '', id: '' }));
  if (context.kind === 'block' && named?.parent) {
    return { checked: { context: { ...context, sectionId: named.parent.id } }, unchanged: [] };
  }
  if (context.kind !== 'point') return { checked: { context }, unchanged: [] };
  const sources = await rowSources(named);
  if (sources.length === 0) throw new AppError('VALIDATION_FAILED', { errors: [NO_ROWS] });
  const rowsOf = await rowsSubject(deps, place.workspaceId, sources);
  return { checked: { context, rowsOf }, unchanged: [] };
}

function contextIssue({ kind, parts, part }: Discussed, context: CommentContext): Issue | undefined {
  const about = partOf(context);
  const pointer = '/context/kind';
  const isText = isTextContext(context);
  if (isText && !kind.anchorText)
    return { pointer, code: 'NOT_APPLICABLE', message: `A ${kind.type} has no text to quote` };
  if (context.kind === 'point' && (context.cardId === undefined) === (context.blockId === undefined))
    return { pointer: '/context', code: 'ONE_PART', message: 'must name either `cardId` or `blockId`' };
  if (about && !kind.partTypes?.includes(about.type))
    return { pointer, code: 'NOT_APPLICABLE', message: `A ${kind.type} has no parts of this kind` };
  if (part && (!about || partName(part) !== partName(about)))
    return { pointer: '/context', code: 'OTHER_PART', message: 'must be about the part that `resourceId` names' };
  const named = about && parts.get(partName(about));
  const found = named?.isHidden ? undefined : named;
  if (about && !found)
    return { pointer: `/context/${about.type}Id`, code: 'UNKNOWN_PART', message: `The ${kind.type} has no such part` };
  return undefined;
}

const NO_ROWS: Issue = { pointer: '/context/kind', code: 'NOT_APPLICABLE', message: 'The part shows no rows' };

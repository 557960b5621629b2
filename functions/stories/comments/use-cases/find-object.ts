import {
  type CommentPlace,
  type CommentSetting,
  isVisible,
  type LocatedComment,
  type Parts,
  partsOf,
  seesOwnComments,
} from '../../../../shared/domains/stories/comments/index.ts';
import type { Subject, SubjectKind } from '../../../../shared/domains/tenancy/subjects/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { CommentDeps } from './context.ts';

export interface ResourceRef {
  resourceType: string;
  resourceId: string;
}

/** An object that the reader may discuss, with the part that the request names. */
export interface Discussed {
  principal: Principal;
  place: CommentPlace;
  kind: SubjectKind;
  subject: Subject;
  parts: Parts;
  /** By the type and id in the request. */
  part: { type: string; id: string } | undefined;
}

type Deps = Pick<CommentDeps, 'table' | 'subjects'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws `COMMENT_OBJECT_NOT_FOUND`, also for a type that cannot be discussed. */
export async function findObject(
  { table, subjects }: Deps,
  principal: Principal,
  { resourceType, resourceId }: ResourceRef,
): Promise<Discussed> {
  const whole = subjects.kind(resourceType);
  const kinds = whole ? [whole] : subjects.withPart(resourceType);
  const [id = '', partId] = resourceId.split(':');
  const isNamed = whole ? partId === undefined : partId !== undefined;
  for (const kind of isNamed && UUID.test(id) ? kinds : []) {
    const subject = await kind.find(table, principal, id);
    if (!subject) continue;
    const parts = await partsOf(table, kind, principal, id);
    const part = whole ? undefined : { type: resourceType, id: partId! };
    const place = { workspaceId: principal.workspaceId, type: kind.type, id };
    return { principal, place, kind, subject, parts, part };
  }
  throw new AppError('COMMENT_OBJECT_NOT_FOUND');
}

/** The object of a comment that the reader sees. Throws `COMMENT_NOT_FOUND`. */
export async function findComment(
  { table, subjects, store }: Deps & Pick<CommentDeps, 'store'>,
  principal: Principal,
  id: string,
): Promise<{ found: LocatedComment; object: Discussed }> {
  const found = await store.find(principal.workspaceId, id);
  const kind = found && subjects.kind(found.place.type);
  const subject = found && (await kind?.find(table, principal, found.place.id));
  if (!found || !kind || !subject || found.comment.deletedAt !== null) throw new AppError('COMMENT_NOT_FOUND');
  const parts = await partsOf(table, kind, principal, found.place.id);
  const reading = { subject, parts, readerId: principal.userId };
  const isOwn = found.comment.authorId === principal.userId && seesOwnComments(found.thread, reading);
  if (!isOwn && !isVisible(found.thread, reading)) throw new AppError('COMMENT_NOT_FOUND');
  return { found, object: { principal, place: found.place, kind, subject, parts, part: undefined } };
}

export async function settingOf({ workspace }: Pick<CommentDeps, 'workspace'>, id: string): Promise<CommentSetting> {
  return (await workspace(id))?.comments ?? 'everyone';
}

/** Throws `COMMENTS_OFF`, or `COMMENTS_RESTRICTED` where only editors of the object comment. */
export async function assertMayComment(
  deps: Pick<CommentDeps, 'workspace'>,
  { place, subject }: Pick<Discussed, 'place' | 'subject'>,
): Promise<void> {
  const setting = await settingOf(deps, place.workspaceId);
  if (setting === 'off') throw new AppError('COMMENTS_OFF');
  if (setting === 'editors' && !subject.mayEdit) throw new AppError('COMMENTS_RESTRICTED');
}

/** Throws `VALIDATION_FAILED` for a type that cannot be discussed. */
export function assertKnownType({ subjects }: Pick<CommentDeps, 'subjects'>, type: string): void {
  const types = subjects.types();
  if (types.includes(type)) return;
  const message = `must be one of ${types.join(', ')}`;
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/resourceType', code: 'UNKNOWN_TYPE', message }] });
}

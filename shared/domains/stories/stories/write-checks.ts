import { AppError } from '../../../platform/errors/app-error.ts';
import { isHeld, isTakenFrom } from './locks.ts';
import type { SectionLock, SectionRecord, StoryState } from './records.ts';

/** Throws `STORY_ARCHIVED`. */
export function assertOpen({ record }: StoryState): void {
  if (record.archivedAt !== null) throw new AppError('STORY_ARCHIVED');
}

/** Whether the list of editors of the section excludes the person. */
export const isExcluded = ({ editorIds }: Pick<SectionRecord, 'editorIds'>, userId: string): boolean =>
  editorIds.length > 0 && !editorIds.includes(userId);

/**
 * Every change of the text of a section is checked here, whatever makes it: for the list of editors, then whether it is
 * read-only, then whether another person has the lock. `lock` is one whose holder still has access. Throws
 * `SECTION_EDITORS`, `SECTION_READ_ONLY`, `SECTION_LOCKED` with the holder, or `LOCK_LOST`.
 */
export function assertEditable(
  section: SectionRecord,
  { userId, now, lock }: { userId: string; now: Date; lock: SectionLock | undefined },
): void {
  assertMayLock(section, userId);
  if (lock && isHeld(lock, now) && lock.holderId !== userId) throw lockedBy(lock);
  if (isTakenFrom(lock, userId)) throw new AppError('LOCK_LOST');
}

/** Throws `SECTION_EDITORS` or `SECTION_READ_ONLY`. */
export function assertMayLock(section: SectionRecord, userId: string): void {
  if (isExcluded(section, userId)) throw new AppError('SECTION_EDITORS');
  if (section.readOnly) throw new AppError('SECTION_READ_ONLY');
}

export const lockedBy = ({ holderId, holderName, expiresAt }: SectionLock): AppError =>
  new AppError('SECTION_LOCKED', {
    detail: `${holderName} is editing the section.`,
    members: { holder: { id: holderId, name: holderName }, expiresAt },
  });

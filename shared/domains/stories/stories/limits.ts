import { AppError } from '../../../platform/errors/app-error.ts';

export const MAX_SECTIONS = 100;
/** The texts of all sections of a story together. */
export const MAX_STORY_BYTES = 4 * 1024 * 1024;
/** Contents of a section that are kept, so that edits that are based on them can be merged. */
export const MAX_KEPT_TEXTS = 50;
/** How long a refused or overwritten text is kept. */
export const REVISION_DAYS = 30;

/** Throws `STORY_TOO_LARGE`. */
export function assertFits(sections: readonly { bytes: number }[]): void {
  const bytes = sections.reduce((sum, section) => sum + section.bytes, 0);
  if (sections.length > MAX_SECTIONS || bytes > MAX_STORY_BYTES) throw new AppError('STORY_TOO_LARGE');
}

import { knownMe } from '../../data/me.ts';
import type { Content } from './text/schema.ts';

/** A text that could not be saved yet, such as while the sign-in has ended. */
export interface Draft {
  content: Content;
  base: number;
}

/** Of one person: another one who signs in with this browser may see less of the story. */
const keyOf = (sectionId: string): string => `story-section ${knownMe()?.user.id} ${sectionId}`;

/** Storage may be full or refused: the text is in the editor still. */
export function keepDraft(sectionId: string, draft: Draft): void {
  try {
    localStorage.setItem(keyOf(sectionId), JSON.stringify(draft));
  } catch {}
}

export const forgetDraft = (sectionId: string): void => localStorage.removeItem(keyOf(sectionId));

export function keptDraft(sectionId: string): Draft | undefined {
  try {
    const text = localStorage.getItem(keyOf(sectionId));
    return text === null ? undefined : (JSON.parse(text) as Draft);
  } catch {
    return undefined;
  }
}

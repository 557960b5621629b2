import { createHash } from 'node:crypto';
import type { SectionRecord, StoryRecord } from './records.ts';

/** Tells two drafts apart by what readers would see of them. */
export function stateOf(
  { title, summary, mode }: Pick<StoryRecord, 'title' | 'summary' | 'mode'>,
  sections: readonly Pick<SectionRecord, 'id' | 'title' | 'textSeq' | 'visibility'>[],
): string {
  const parts = sections.map(({ id, title: heading, textSeq, visibility }) => [id, heading, textSeq, visibility]);
  return createHash('sha256')
    .update(JSON.stringify([title, summary, mode, parts]))
    .digest('base64url');
}

/** Tells two drafts apart by their texts, without the titles. */
export const meaningOfStory = (sections: readonly Pick<SectionRecord, 'id' | 'textSeq'>[]): string =>
  createHash('sha256')
    .update(JSON.stringify(sections.map(({ id, textSeq }) => [id, textSeq])))
    .digest('base64url');

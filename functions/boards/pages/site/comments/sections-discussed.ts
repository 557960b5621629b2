import { call } from '../api.ts';
import type { Discussed } from './discussed.ts';

const MAX_TITLE = 60;

/** The story and its sections. */
export const sectionsDiscussed = ({
  storyId,
  mayModerate,
  mayDecide,
}: {
  storyId: string;
  mayModerate: boolean;
  mayDecide: boolean;
}): Discussed => ({
  type: 'story',
  id: storyId,
  part: 'section',
  mayModerate,
  decide: mayDecide
    ? (sectionId, commentId, decision) =>
        call('POST', `/api/stories/${storyId}/sections/${sectionId}/suggestions/${commentId}/${decision}`)
    : undefined,
  isFollowedInLead: true,
  elsewhere: 'On a section that is not shown here',
  parts: () =>
    [...document.querySelectorAll<HTMLElement>('.article > section')].map((element) => ({
      id: element.id.slice('section-'.length),
      title: titleOf(element),
      element,
    })),
});

/** The title, or the beginning of the text of a section without one. */
function titleOf(section: HTMLElement): string | undefined {
  const heading = section.querySelector(':scope > :is(h2, h3)');
  const text = (heading ?? section.querySelector('p, li'))?.textContent?.trim() ?? '';
  if (text === '') return undefined;
  return text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE).trimEnd()}…` : text;
}

import { call } from '../api.ts';
import { showNewText } from '../reading/new-text.ts';
import { showValues } from '../reading/values.ts';
import type { Discussed } from './discussed.ts';

const MAX_TITLE = 60;

/** The story and its sections. */
export const sectionsDiscussed = ({
  storyId,
  view,
  mayModerate,
  mayDecide,
}: {
  storyId: string;
  view: 'draft' | 'published';
  mayModerate: boolean;
  mayDecide: boolean;
}): Discussed => ({
  type: 'story',
  id: storyId,
  part: 'section',
  mayModerate,
  decide: mayDecide
    ? async (sectionId, commentId, decision) => {
        await call('POST', `/api/stories/${storyId}/sections/${sectionId}/suggestions/${commentId}/${decision}`);
        // The published text stays as it is.
        if (decision !== 'accept' || view !== 'draft') return;
        await showNewText(sectionId);
        await showValues({ storyId, view });
      }
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

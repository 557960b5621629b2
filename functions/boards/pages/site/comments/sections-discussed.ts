import type { Discussed } from './discussed.ts';

const MAX_TITLE = 60;

/** The story and its sections. */
export const sectionsDiscussed = ({ storyId, mayModerate }: { storyId: string; mayModerate: boolean }): Discussed => ({
  type: 'story',
  id: storyId,
  part: 'section',
  mayModerate,
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

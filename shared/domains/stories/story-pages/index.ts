/** The public API of this domain; everything else is internal. */
export { type StoryView, storyPage } from './story-page.ts';

/** The public API of this domain; everything else is internal. */
export type { PagedBlock } from './block-view.ts';
export { type PagedStory, storyPage } from './story-page.ts';

/** The public API of this domain; everything else is internal. */
export { exportStory, type StoryExport, type StoryExportDeps } from './export-story.ts';
export { type StoryParts, storyParts } from './story-parts.ts';

/** The public API of this domain; everything else is internal. */
export {
  exportStory,
  STORY_FORMATS,
  type StoryExport,
  type StoryExportDeps,
  type StoryFormat,
} from './export-story.ts';
export { type StoryParts, storyParts } from './story-parts.ts';

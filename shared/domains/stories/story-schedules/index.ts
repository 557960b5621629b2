/** The public API of this domain; everything else is internal. */
export { storyScheduleCleanUps } from './clean-ups.ts';
export { storySchedules } from './deliveries.ts';
export { storyStopReason } from './stop-reason.ts';
export { type StorySourceDeps, storySources } from './story-sources.ts';

import type { StoryTemplate } from './built-in-templates.ts';

/**
 * Templates of stories: the built-in ones, and what a story and a template make of each other. A template is content
 * with slots for live blocks, which are filled when it is used.
 */
export type { StoryTemplate, TemplateSection } from './built-in-templates.ts';
export { asTemplate, fromTemplate } from './story-as-template.ts';

/** Loaded when asked for, because most calls need none of their texts. */
export const loadBuiltInTemplates = async (): Promise<readonly StoryTemplate[]> =>
  (await import('./built-in-templates.ts')).BUILT_IN_TEMPLATES;

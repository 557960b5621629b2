/**
 * Templates of stories: the built-in ones, and what a story and a template make of each other. A template is content
 * with slots for live blocks, which are filled when it is used.
 */
export { BUILT_IN_TEMPLATES, type StoryTemplate, type TemplateSection } from './built-in-templates.ts';
export { asTemplate, fromTemplate } from './story-as-template.ts';

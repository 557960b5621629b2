/** The public API of this domain; everything else is internal. */
export {
  MAX_TEMPLATES,
  type NewTemplate,
  type TemplateContent,
  type TemplateRecord,
  type TemplateRepository,
  templateRepository,
} from './repository.ts';

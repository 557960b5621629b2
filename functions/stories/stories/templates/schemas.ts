import type { Static } from 'typebox';
import * as Type from 'typebox';
import { RichTextContent } from '../../../../shared/data/rich-text/index.ts';
import { sectionProperties } from '../../../../shared/domains/stories/stories/index.ts';
import {
  Id,
  ListQuery,
  Name,
  Nullable,
  Page,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';
import { TemplateId } from '../schemas.ts';

export const TemplateParams = Type.Object({ templateId: TemplateId });

const templateName = Type.Unsafe<string>({
  ...Name,
  description: 'Unique within the workspace; case does not matter.',
});
const description = Nullable(Type.String({ maxLength: 2000 }));

const summary = {
  id: TemplateId,
  name: templateName,
  description,
  isBuiltIn: Type.Boolean({ description: 'Whether every workspace has the template.' }),
  sectionCount: Type.Integer({ minimum: 0 }),
  createdBy: Nullable(Type.Unsafe<string>({ ...Id, description: 'The author; null for a built-in template.' })),
  createdAt: Nullable(Timestamp),
};

export const StoryTemplateSummary = Type.Object(summary, {
  $id: 'StoryTemplateSummary',
  description: 'A template in a list, without its sections.',
});
export type StoryTemplateSummary = Static<typeof StoryTemplateSummary>;
export const StoryTemplatePage = Page(StoryTemplateSummary);

export const TemplateListQuery = ListQuery;

const sections = Type.Array(
  Type.Object(
    { title: sectionProperties.title, content: RichTextContent },
    {
      $id: 'StoryTemplateSection',
      description: 'A section of a template. Its live blocks are slots, whose label says what to show there.',
    },
  ),
  { description: 'The sections, in order.' },
);

export const StoryTemplate = Type.Object(
  { ...summary, sections },
  { $id: 'StoryTemplate', description: 'Texts and structure from which stories are created.' },
);
export type StoryTemplate = Static<typeof StoryTemplate>;

export const CreateTemplate = Type.Object(
  {
    name: templateName,
    description: Type.Unsafe<string | null>({ ...description, default: null }),
    storyId: Type.Unsafe<string>({ ...Id, description: 'The story from whose draft the template is made.' }),
  },
  { $id: 'CreateStoryTemplate', description: 'A new template with the texts and the structure of a story.' },
);
export type CreateTemplate = Static<typeof CreateTemplate>;

export const CreatedTemplate = Type.Object(
  {
    ...summary,
    sections,
    omitted: Type.Array(
      Type.Object({
        sectionId: Id,
        reason: StringEnum(['DATA_ACCESS'], {
          description: '`DATA_ACCESS`: only some readers may see the section, but everyone may see the template.',
        }),
      }),
      { description: 'The sections of the story that are not in the template.' },
    ),
  },
  { $id: 'CreatedStoryTemplate', description: 'A new template, and what it leaves out.' },
);
export type CreatedTemplate = Static<typeof CreatedTemplate>;

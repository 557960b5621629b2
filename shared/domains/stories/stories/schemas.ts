import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, StrictObject, StringEnum } from '../../../platform/http/schemas.ts';

export const MODES = ['live', 'snapshot'] as const;
export const SOURCES = ['manual', 'ai', 'ai_edited'] as const;
export const SECTION_STATUSES = ['draft', 'in_review', 'done'] as const;
export const VISIBILITIES = ['everyone', 'data_access'] as const;
export const DECISIONS = ['approved', 'changes_requested'] as const;

const Line = (maxLength: number) => Type.String({ maxLength });

const Instant = Type.String({ format: 'date-time', maxLength: 40 });

export const SectionAi = StrictObject(
  {
    model: Type.Optional(Line(200)),
    question: Type.Optional(Line(2000)),
    action: Type.Optional(Line(100)),
    generatedAt: Type.Optional(Instant),
  },
  { $id: 'StorySectionAi', description: 'How a language model took part in the text of a section.' },
);

/** Members that clients write. */
export const storyProperties = {
  title: Name,
  summary: Nullable(Type.String({ maxLength: 2000 })),
  mode: StringEnum(MODES, {
    description:
      '`live`: the live blocks and inline values of the published story show current data; `snapshot`: they show the data of the time when the story was published.',
  }),
};

export const sectionProperties = {
  title: Nullable(Name),
  source: StringEnum(SOURCES, {
    description:
      '`manual`: a person wrote the text; `ai`: a language model wrote it; `ai_edited`: a person edited the text of a model.',
  }),
  ai: Nullable(SectionAi),
};

export const workProperties = {
  status: StringEnum(SECTION_STATUSES, { description: 'The state of the work on the section.' }),
  assigneeId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The member who works on the section.' })),
  dueAt: Nullable(Instant),
};

export const SectionVisibility = StringEnum(VISIBILITIES, {
  description:
    '`data_access` shows the section only to members who may see all rows of its live blocks, and to members with the same rights as the author of its text.',
});

export type SectionAi = Static<typeof SectionAi>;

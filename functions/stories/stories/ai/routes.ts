import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { StoryParams } from '../schemas.ts';
import { SectionParams } from '../sections/schemas.ts';
import {
  NextSection,
  OutlineRequest,
  RefreshedParagraphs,
  RefreshRequest,
  RewriteRequest,
  RewrittenText,
  StoryOutline,
} from './schemas.ts';

const contribute = { permission: 'stories:write', grant: grantOn('story', 'contributor') } as const;
const AI_ERRORS = ['AI_NOT_CONFIGURED', 'AI_ANSWER_REJECTED', 'AI_UNAVAILABLE'] as const;

export const outlineStory = defineRoute({
  operationId: 'outlineStory',
  method: 'POST',
  path: '/api/stories/ai/outline',
  summary: 'Outline a story',
  description: 'The language model gets the goal alone. Nothing is stored.',
  permission: 'stories:write',
  body: OutlineRequest,
  success: { status: 200, body: StoryOutline },
  errors: [...AI_ERRORS],
  idempotent: true,
});

export const suggestNextSection = defineRoute({
  operationId: 'suggestNextStorySection',
  method: 'POST',
  path: '/api/stories/{id}/ai/next',
  summary: 'Suggest the next section',
  description:
    'The language model gets the title, the summary, and the sections that everyone may see, without inline values and rows. Nothing is stored.',
  ...contribute,
  params: StoryParams,
  success: { status: 200, body: NextSection },
  errors: ['STORY_NOT_FOUND', ...AI_ERRORS],
  idempotent: true,
});

export const rewriteText = defineRoute({
  operationId: 'rewriteStoryText',
  method: 'POST',
  path: '/api/stories/{id}/ai/rewrite',
  summary: 'Rewrite a text',
  description:
    'The language model gets the text alone. A text that may quote protected rows is rejected: one from a section that reads them, or, in a story with such a section, one that stands in no other section. An answer with numbers that are not in the text is rejected, except for translations, which may write them in another way. Nothing is stored.',
  ...contribute,
  params: StoryParams,
  body: RewriteRequest,
  success: { status: 200, body: RewrittenText },
  errors: ['STORY_NOT_FOUND', 'AI_ROWS_PROTECTED', ...AI_ERRORS],
  idempotent: true,
});

export const refreshSection = defineRoute({
  operationId: 'refreshStorySection',
  method: 'POST',
  path: '/api/stories/{id}/sections/{sectionId}/ai/refresh',
  summary: 'Revise a section for changed numbers',
  description:
    'The language model gets the paragraphs and the changes. An answer with numbers that are neither in `to` nor in the paragraphs is rejected, and so is a section that reads protected rows. Nothing is stored: send the text with `PATCH /api/stories/{id}/sections/{sectionId}`, to which the lock and the editors of the section apply.',
  ...contribute,
  params: SectionParams,
  body: RefreshRequest,
  success: { status: 200, body: RefreshedParagraphs },
  errors: ['STORY_NOT_FOUND', 'STORY_SECTION_NOT_FOUND', 'SECTION_HIDDEN', 'AI_ROWS_PROTECTED', ...AI_ERRORS],
  idempotent: true,
});

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId } from '../../../../shared/data/rich-text/index.ts';
import { SectionAi } from '../../../../shared/domains/stories/stories/index.ts';
import { Name, StringEnum } from '../../../../shared/platform/http/schemas.ts';

const question = Type.String({ description: 'A question that the text of the section is to answer.' });

export const OutlineRequest = Type.Object(
  { goal: Type.String({ minLength: 1, maxLength: 2000, description: 'What the story is to achieve, and for whom.' }) },
  { $id: 'StoryOutlineRequest', description: 'The goal of a story.' },
);

export const StoryOutline = Type.Object(
  {
    title: Name,
    sections: Type.Array(Type.Object({ title: Name, question }), { description: 'At most 12 sections, in order.' }),
  },
  { $id: 'StoryOutline', description: 'A title and sections for a story.' },
);
export type StoryOutline = Static<typeof StoryOutline>;

export const NextSection = Type.Object(
  { title: Name, question, reason: Type.String({ description: 'Why the section should follow.' }) },
  { $id: 'StoryNextSection', description: 'A section that the story lacks.' },
);
export type NextSection = Static<typeof NextSection>;

export const REWRITE_ACTIONS = ['shorten', 'expand', 'tone', 'fix', 'translate'] as const;
export const TONES = ['professional', 'friendly', 'concise', 'confident'] as const;

export const RewriteRequest = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 10_000, description: 'The text to rewrite, without markup.' }),
    action: StringEnum(REWRITE_ACTIONS, {
      description: '`fix` corrects spelling and grammar; `tone` needs `tone`, and `translate` needs `language`.',
    }),
    tone: Type.Optional(StringEnum(TONES)),
    language: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 40,
        pattern: '^[A-Za-z][A-Za-z -]*$',
        description: 'The language to translate into: its English name, or its tag such as `pt-BR`.',
      }),
    ),
  },
  { $id: 'StoryRewriteRequest', description: 'A text, and what to do with it.' },
);
export type RewriteRequest = Static<typeof RewriteRequest>;

export const RewrittenText = Type.Object(
  { text: Type.String(), ai: SectionAi },
  {
    $id: 'StoryRewrittenText',
    description: 'The text as the language model has rewritten it. Send `ai` with the section that gets the text.',
  },
);
export type RewrittenText = Static<typeof RewrittenText>;

const valueText = Type.String({ minLength: 1, maxLength: 100 });

const Paragraph = Type.Object(
  {
    blockId: BlockId,
    text: Type.String({
      minLength: 1,
      maxLength: 5000,
      description: 'The text of the block. `{{valueId}}` stands for an inline value, so that it stays one.',
    }),
  },
  { description: 'The text of a block of a section.' },
);

export const RefreshRequest = Type.Object(
  {
    paragraphs: Type.Array(Paragraph, { minItems: 1, maxItems: 50, description: 'The paragraphs to revise.' }),
    changes: Type.Array(
      Type.Object(
        { valueId: BlockId, from: valueText, to: valueText },
        { description: 'An inline value that changed.' },
      ),
      { minItems: 1, maxItems: 100, description: 'The inline values that have changed since the text was written.' },
    ),
  },
  { $id: 'StoryRefreshRequest', description: 'Paragraphs of a section, and the numbers in them that have changed.' },
);
export type RefreshRequest = Static<typeof RefreshRequest>;

export const RefreshedParagraphs = Type.Object(
  {
    paragraphs: Type.Array(Paragraph, {
      description: 'The paragraphs whose text changes, in the order of the request.',
    }),
    ai: SectionAi,
  },
  {
    $id: 'StoryRefreshedParagraphs',
    description: 'Paragraphs that fit the new numbers. Send `ai` with the section that gets them.',
  },
);
export type RefreshedParagraphs = Static<typeof RefreshedParagraphs>;

import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const ai = (action: string) => ({ model: 'gpt-5', action, generatedAt: CHANGED_AT });

export const examples: ExamplesOf<typeof routes> = {
  outlineStory: {
    request: { goal: 'Explain to the board why revenue in the north is behind plan' },
    reply: {
      title: 'Why the north is behind plan',
      sections: [
        { title: 'Where we stand', question: 'How far is revenue in the north behind plan, and since when?' },
        { title: 'Why', question: 'Which customers and products explain the gap?' },
      ],
    },
  },
  suggestNextSection: {
    reply: {
      title: 'What we do about it',
      question: 'Which measures close the gap, and until when?',
      reason: 'The story explains the gap, but does not say what follows.',
    },
  },
  rewriteText: {
    request: { text: 'Revenue grew in all of the regions, with the exception of the north.', action: 'shorten' },
    reply: { text: 'Revenue grew everywhere but in the north.', ai: ai('shorten') },
  },
  refreshSection: {
    request: {
      paragraphs: [{ blockId: 'p1', text: 'Revenue grew to {{revenue}}.' }],
      changes: [{ valueId: 'revenue', from: '1,250', to: '1,180' }],
    },
    reply: { paragraphs: [{ blockId: 'p1', text: 'Revenue fell to {{revenue}}.' }], ai: ai('refresh') },
  },
};

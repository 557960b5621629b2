import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const builtIn = {
  id: 'board-update',
  name: 'Board update',
  description: 'The state of the company in a few pages: results, outlook, risks, and requests to the board.',
  isBuiltIn: true,
  sectionCount: 5,
  createdBy: null,
  createdAt: null,
};
const own = {
  id: IDS.storyTemplate,
  name: 'Revenue of the week',
  description: 'For the meeting on Monday',
  isBuiltIn: false,
  sectionCount: 1,
  createdBy: IDS.user,
  createdAt: CREATED_AT,
};
const sections = [
  {
    title: 'What happened',
    content: {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          attrs: { id: 'p1' },
          content: [{ type: 'text', text: 'Revenue grew in all regions but the north.' }],
        },
        { type: 'liveBlock', attrs: { id: 'regions', source: { kind: 'slot', label: 'A card or a chart' } } },
      ],
    },
  },
];

export const examples: ExamplesOf<typeof routes> = {
  listStoryTemplates: { reply: page([builtIn, own]) },
  createStoryTemplate: {
    request: { name: 'Revenue of the week', description: 'For the meeting on Monday', storyId: IDS.story },
    reply: { ...own, sections, omitted: [] },
  },
  getStoryTemplate: { reply: { ...own, sections } },
  deleteStoryTemplate: {},
};

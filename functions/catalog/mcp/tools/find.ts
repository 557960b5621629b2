import { SEARCHED_TYPES } from '../../../../shared/domains/catalog/search/index.ts';
import type { Tool } from '../tool.ts';

export const find: Tool = {
  name: 'find',
  title: 'Find objects',
  description:
    'Searches metrics, models, fields, saved queries, dashboards, cards, terms and other objects that you may read, by words of their names and descriptions. Each result says whether it is certified or deprecated.',
  input: {
    type: 'object',
    properties: {
      q: { type: 'string', minLength: 1, maxLength: 200, description: 'The words to find, such as `monthly revenue`.' },
      type: { type: 'string', enum: SEARCHED_TYPES, description: 'Only results of this type.' },
      certified: { type: 'boolean', description: 'Only certified results (`true`), or only the others (`false`).' },
      deprecated: { type: 'boolean', description: 'Only deprecated results (`true`), or only the others (`false`).' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'The maximum number of results.' },
      cursor: { type: 'string', minLength: 1, maxLength: 1024, description: '`nextCursor` of the results before.' },
    },
    required: ['q'],
  },
  run: async (query, operations) => ({
    value: await operations.read({ group: 'search', method: 'GET', path: '/api/search', query }),
  }),
};

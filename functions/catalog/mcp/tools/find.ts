import { SEARCHED_TYPES } from '../../../../shared/domains/catalog/search/index.ts';
import type { Tool } from '../tool.ts';

/** Tools name types as the catalog does, such as `saved-query`; search has underscores. */
const shownType = (type: string): string => type.replaceAll('_', '-');
const searchedType = (type: string): string => type.replaceAll('-', '_');

interface Typed {
  type: string;
}

interface Results {
  items: (Typed & { parent: Typed | null })[];
  facets: { type: Record<string, number> };
  omitted: string[];
}

const showParent = (parent: Typed | null) => parent && { ...parent, type: shownType(parent.type) };

const showResults = ({ items, facets, omitted, ...others }: Results) => ({
  ...others,
  items: items.map((item) => ({ ...item, type: shownType(item.type), parent: showParent(item.parent) })),
  facets: {
    ...facets,
    type: Object.fromEntries(Object.entries(facets.type).map(([type, count]) => [shownType(type), count])),
  },
  omitted: omitted.map(shownType),
});

export const find: Tool = {
  name: 'find',
  title: 'Find objects',
  description:
    'Searches metrics, models, fields, saved queries, dashboards, cards, terms and other objects that you may read, by words of their names and descriptions. Each result says whether it is certified or deprecated.',
  input: {
    type: 'object',
    properties: {
      q: { type: 'string', minLength: 1, maxLength: 200, description: 'The words to find, such as `monthly revenue`.' },
      type: { type: 'string', enum: SEARCHED_TYPES.map(shownType), description: 'Only results of this type.' },
      certified: { type: 'boolean', description: 'Only certified results (`true`), or only the others (`false`).' },
      deprecated: { type: 'boolean', description: 'Only deprecated results (`true`), or only the others (`false`).' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'The maximum number of results.' },
      cursor: { type: 'string', minLength: 1, maxLength: 1024, description: '`nextCursor` of the results before.' },
    },
    required: ['q'],
  },
  async run({ type, ...given }, operations) {
    const query = { ...given, ...(type !== undefined && { type: searchedType(type) }) };
    return {
      value: showResults(await operations.read({ group: 'search', method: 'GET', path: '/api/search', query })),
    };
  },
};

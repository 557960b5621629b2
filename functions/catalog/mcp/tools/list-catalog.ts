import { CERTIFIED_OBJECTS } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { fittingItems, omissionOf } from '../limits.ts';
import type { Tool } from '../tool.ts';
import { catalogType, toolType } from '../trust.ts';

const MAX_ITEMS = 50;
const CONTINUE = 'continue after them with `offset`';

export const listCatalog: Tool = {
  name: 'list_catalog',
  title: 'List the catalog',
  description:
    'Lists the objects that you may read with their owners, tags, certification and use, the most used first. Use `find` if you have words to look for.',
  input: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: CERTIFIED_OBJECTS.map(toolType), description: 'Only objects of this type.' },
      search: { type: 'string', minLength: 1, maxLength: 200, description: 'Only objects with this text in the name.' },
      tag: { type: 'string', minLength: 1, maxLength: 64, description: 'Only objects with this tag.' },
      certified: { type: 'boolean', description: 'Only certified objects (`true`), or only the others (`false`).' },
      deprecated: { type: 'boolean', description: 'Only deprecated objects (`true`), or only the others (`false`).' },
      sort: {
        type: 'string',
        enum: ['popular', 'name', 'recent'],
        default: 'popular',
        description: '`popular`: the most used first. `recent`: the last changed first.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_ITEMS,
        default: 20,
        description: 'The maximum number of objects.',
      },
      offset: { type: 'integer', minimum: 0, default: 0, description: 'How many objects to skip.' },
    },
  },
  async run({ limit = 20, type, ...others }, operations) {
    const path = '/api/catalog/assets';
    const query = { ...others, limit, ...(type !== undefined && { type: catalogType(type) }) };
    const page = await operations.read({ group: 'catalog', method: 'GET', path, query });
    const fitting: { type: string }[] = fittingItems(page.items, limit);
    const items = fitting.map((item) => ({ ...item, type: toolType(item.type) }));
    return { value: { ...page, items, warnings: omissionOf('objects', items, page.items, CONTINUE) } };
  },
};

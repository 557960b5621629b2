import { create, insertMultiple, search } from '@orama/orama';
import { Document } from 'flexsearch';
import MiniSearch from 'minisearch';
import type { SearchDocument } from '../../../shared/domains/catalog/search/index.ts';

/** Keys of the ten best documents. */
export type Engine = (query: string) => Promise<readonly string[]>;

const FIELDS = ['name', 'aliases', 'description', 'context'] as const;
const TOP = 10;

const flat = ({ key, name, description, aliases, context }: SearchDocument) => ({
  ...{ id: key, key, name, description, context },
  aliases: aliases.join(' '),
});

/**
 * Libraries of full-text search as their guides set them up, with typos and incomplete words. Orama looks for all words
 * first, then for typos, then for any of the words.
 */
export const ENGINES: Record<string, (documents: readonly SearchDocument[]) => Promise<Engine>> = {
  async MiniSearch(documents) {
    const index = new MiniSearch({
      ...{ idField: 'key', fields: [...FIELDS] },
      searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2 } },
    });
    index.addAll(documents.map(flat));
    return async (query) => index.search(query).map(({ id }) => String(id));
  },

  async Orama(documents) {
    const index = create({
      schema: { key: 'string', name: 'string', description: 'string', aliases: 'string', context: 'string' },
    });
    await insertMultiple(index, documents.map(flat));
    // With both set at once, which is the plain set-up, it finds few names among many that share words.
    const passes = [{ threshold: 0 }, { threshold: 0, tolerance: 1 }, { threshold: 1, tolerance: 1 }];
    return async (term) => {
      for (const pass of passes) {
        const { hits } = await search(index, {
          term,
          properties: [...FIELDS],
          boost: { name: 2 },
          limit: TOP,
          ...pass,
        });
        if (hits.length > 0) return hits.map(({ document }) => String(document.key));
      }
      return [];
    };
  },

  async FlexSearch(documents) {
    const index = new Document({ tokenize: 'forward', document: { id: 'key', index: [...FIELDS] } });
    for (const document of documents) index.add(flat(document));
    return async (query) => {
      const found = index.search(query, { limit: TOP, suggest: true });
      return [...new Set(found.flatMap(({ result }) => result.map(String)))];
    };
  },
};

import {
  applyEdit,
  emptyParts,
  importFile,
  type ModelDefinition,
} from '../../../shared/domains/semantics/models/index.ts';
import { compileQuestion } from '../../../shared/domains/semantics/questions/compile-question.ts';

/** Facts, each with dimensions of its own and two that all of them share. */
const FACTS = 6;
const DIMENSIONS_OF_FACT = 8;
const SHARED = ['calendar', 'product', 'category', 'store', 'city', 'country'];
const FIELDS = 20;
const ROUNDS = 200;

export const TABLES = FACTS * (1 + DIMENSIONS_OF_FACT) + SHARED.length;

/** Two facts by attributes of two shared dimensions, one of them three hops away, with a filter and a total. */
const QUESTION = {
  dimensions: [
    { expression: '[country.name_1]', label: 'country' },
    { expression: '[category.name_1]', label: 'category' },
  ],
  measures: [
    { expression: 'SUM([fact_1.amount_1]) / COUNT_DISTINCT([fact_1.name_1])', label: 'each' },
    { expression: 'SHARE(SUM([fact_2.amount_1]))', label: 'share' },
  ],
  filters: [{ expression: "[product.name_2] IN ('a', 'b') OR [city.name_3] = 'c'", values: [] }],
  resultFilters: [],
  sort: [{ column: 'each', direction: 'desc' as const }],
  totals: 'grand' as const,
  limit: 100,
  timezone: 'UTC',
};

const OPEN = { of: () => undefined, restricted: [], protected: [], fingerprint: 'all', readerClass: 'all' };

/** Milliseconds to compile a question, for a definition that was just read and for one in use. */
export function compileMs(): { first: number[]; next: number[] } {
  const definition = sixtyTables();
  const compile = (of: ModelDefinition) => {
    const startedAt = performance.now();
    compileQuestion(of, QUESTION, {
      dialect: 'duckdb',
      clock: { now: new Date(), timezone: 'UTC' },
      rights: OPEN,
      opaque: new Set(),
      denied: new Set(),
    });
    return performance.now() - startedAt;
  };
  const times = (of: () => ModelDefinition) => Array.from({ length: ROUNDS }, () => compile(of()));
  // What is prepared for a definition belongs to it and to its maps.
  const first = times(() => ({
    ...definition,
    fields: new Map(definition.fields),
    tables: new Map(definition.tables),
  }));
  return { first, next: times(() => definition) };
}

function sixtyTables(): ModelDefinition {
  const model = { id: 'model', workspaceId: 'workspace', sourceId: 'datasets', name: 'Sixty tables', revision: 1 };
  const empty = { model, ...emptyParts() } as unknown as ModelDefinition;
  const read = { file: file(), positionOf: () => ({ line: 1, column: 1, offset: 0 }) };
  const act = { by: 'bench', at: new Date() };
  return applyEdit(empty, importFile(empty, read, { source: undefined, requestId: 'bench', act }));
}

function file(): Parameters<typeof importFile>[1]['file'] {
  const own = (fact: string) =>
    Array.from({ length: DIMENSIONS_OF_FACT }, (_, index) => `${fact}_dimension_${index + 1}`);
  const facts = Array.from({ length: FACTS }, (_, index) => `fact_${index + 1}`);
  const keysOf = (fact: string) => [...own(fact), 'calendar', 'product', 'store'];
  return {
    version: 1,
    tables: [
      ...facts.map((fact) => table(fact, keysOf(fact))),
      ...facts.flatMap(own).map((name) => table(name)),
      ...SHARED.map((name) => table(name, { product: ['category'], store: ['city'], city: ['country'] }[name])),
    ],
    relationships: [
      ...facts.flatMap((fact) => keysOf(fact).map((name) => joined(name, fact))),
      joined('category', 'product'),
      joined('city', 'store'),
      joined('country', 'city'),
    ],
  };
}

const joined = (one: string, many: string) => ({ from: `${one}.id`, to: `${many}.${one}_id` });

function table(alias: string, keys: readonly string[] = []) {
  const numbered = Array.from({ length: FIELDS / 2 }, (_, index) => index + 1);
  return {
    alias,
    sourceTable: alias,
    fields: [
      ...['id', ...keys.map((key) => `${key}_id`)].map((name) => ({
        name,
        fieldType: 'dimension' as const,
        dataType: 'integer' as const,
      })),
      ...numbered.map((n) => ({ name: `name_${n}`, fieldType: 'dimension' as const, dataType: 'string' as const })),
      ...numbered.map((n) => ({ name: `amount_${n}`, fieldType: 'measure' as const, dataType: 'decimal' as const })),
    ],
  };
}

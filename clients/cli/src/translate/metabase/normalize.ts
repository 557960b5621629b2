import { Untranslatable } from '../report.ts';
import { isMembers, listOf, type Members, membersOf, textOf } from '../values.ts';

/** A question in the older of the two forms of Metabase, in which nearly all of its files are. */
export interface Question {
  database: string;
  /** Statement of a native question, with its tags. */
  native?: { sql: string; tags: Members };
  /** A question that was clicked together. */
  query?: Members;
}

/** Throws `Untranslatable` for what is in neither form. */
export function questionOf(value: unknown): Question {
  const question = membersOf(value);
  const database = textOf(question.database) ?? '';
  const stages = listOf(question.stages).map(membersOf);
  if (stages.length > 0) return { database, ...fromStages(stages) };
  if (question.type === 'native') {
    const native = membersOf(question.native);
    return { database, native: { sql: textOf(native.query) ?? '', tags: membersOf(native['template-tags']) } };
  }
  if (isMembers(question.query)) return { database, query: question.query };
  throw new Untranslatable('The form of its question is unknown.');
}

function fromStages(stages: readonly Members[]): Omit<Question, 'database'> {
  const [first] = stages;
  const sql = textOf(first!.native);
  if (sql !== undefined) {
    if (stages.length > 1) throw new Untranslatable('A question on top of a statement has no counterpart here.');
    return { native: { sql, tags: membersOf(first!['template-tags']) } };
  }
  const [query] = stages
    .slice(1)
    .reduce<Members[]>(([inner], stage) => [{ ...stageOf(stage), 'source-query': inner }], [stageOf(first!)]);
  return { query: query! };
}

/** A stage of the newer form: options come first in its clauses, and lists have names of their own. */
function stageOf(stage: Members): Members {
  const aggregations = listOf(stage.aggregation);
  const ids = aggregations.map((each) => membersOf(listOf(each)[1])['lib/uuid']);
  const older = (value: unknown) => olderClause(value, ids);
  const filters = listOf(stage.filters).map(older);
  const card = textOf(stage['source-card']);
  return {
    ...stage,
    ...(card !== undefined && { 'source-table': card }),
    aggregation: aggregations.map(older),
    breakout: listOf(stage.breakout).map(older),
    fields: Array.isArray(stage.fields) ? stage.fields.map(older) : stage.fields,
    'order-by': listOf(stage['order-by']).map(older),
    ...(filters.length > 0 && { filter: filters.length === 1 ? filters[0] : ['and', ...filters] }),
    ...(Array.isArray(stage.expressions) && {
      expressions: Object.fromEntries(
        stage.expressions.map((each: unknown, index) => {
          const name = textOf(membersOf(listOf(each)[1])['lib/expression-name']);
          return [name ?? `expression ${index + 1}`, older(each)];
        }),
      ),
    }),
    joins: listOf(stage.joins).map((value) => {
      const join = membersOf(value);
      const conditions = listOf(join.conditions).map(older);
      const source = listOf(join.stages).map(membersOf);
      if (source.length !== 1) throw new Untranslatable('A join with a question has no counterpart.');
      const condition = conditions.length === 1 ? conditions[0] : ['and', ...conditions];
      return { ...join, condition, 'source-table': source[0]!['source-table'] };
    }),
  };
}

function olderClause(value: unknown, ids: readonly unknown[]): unknown {
  if (!Array.isArray(value)) return value;
  const [name, options, ...args] = value as unknown[];
  if (typeof name !== 'string' || !isMembers(options)) return value.map((each) => olderClause(each, ids));
  if (name === 'field') return ['field', args[0], options];
  if (name === 'aggregation') return ['aggregation', ids.indexOf(args[0])];
  const inner = args.map((each) => olderClause(each, ids));
  const isCaseless = options['case-sensitive'] === false;
  return [name, ...inner, ...(isCaseless ? [{ 'case-sensitive': false }] : [])];
}

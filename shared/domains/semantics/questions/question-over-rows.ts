import type { SqlParameter } from '../../../data/expressions/index.ts';
import { NotWritable, Writer } from '../../../data/semantics/writer.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import type { ModelDefinition } from '../models/index.ts';
import type { Rights } from '../row-rights/index.ts';
import { Binder } from './binder.ts';
import { type CompiledQuestion, compileQuestion } from './compile-question.ts';
import type { Clock } from './conditions.ts';
import { type Dialect, sourceOf } from './model-source.ts';
import type { QuestionInput } from './schemas.ts';

/** How a statement over the rows of another one is written. Both run with the rights of the other one. */
interface OverRows {
  dialect: Dialect;
  clock: Clock;
}

const NO_IDS: ReadonlySet<string> = new Set();
const WHOLE: Rights = {
  protected: [],
  restricted: [],
  of: () => undefined,
  fingerprint: 'all',
  readerClass: 'all',
};

/** A question to the one table of the definition. Its texts are bound. Throws as `compileQuestion` does. */
export const compileOverRows = (
  definition: ModelDefinition,
  input: QuestionInput,
  { dialect, clock }: OverRows,
): Pick<CompiledQuestion, 'sql' | 'params' | 'columns' | 'warnings'> =>
  compileQuestion(definition, input, {
    ...{ dialect, clock, rights: WHOLE, opaque: NO_IDS, denied: NO_IDS, bindsTexts: true },
    // Subtotals need all rows.
    ...(input.totals === 'all' ? {} : { rows: input.limit + 1 }),
  });

/**
 * All columns of the rows of the one table that match the filters, as they are. Without `sort`, the rows keep their
 * order. Throws `VALIDATION_FAILED`.
 */
export function compileMatchingRows(
  definition: ModelDefinition,
  { filters, sort, isFromEnd = false }: Pick<QuestionInput, 'filters' | 'sort' | 'isFromEnd'>,
  { dialect, clock }: OverRows,
): { sql: string; params: readonly SqlParameter[] } {
  const binder = new Binder(definition, clock, NO_IDS);
  const conditions = filters.map((each, index) => binder.filter(each, each.pointer ?? `/filters/${index}`));
  const order = sort.map(({ column: name, direction }, index) => {
    const field = definition.fields.get(name);
    if (field) return { column: binder.column(name, `/sort/${index}/column`), direction };
    const message = `is not a column of the rows${suggestion(name, [...definition.fields.keys()])}`;
    return { column: binder.report(`/sort/${index}/column`, 'UNKNOWN_COLUMN', message), direction };
  });
  binder.throwIssues();
  const writer = new Writer({ dialect, bindsTexts: true, ...clock });
  const [table] = definition.tables.values();
  const sqlOf = (write: () => string) => {
    try {
      return write();
    } catch (error) {
      if (!(error instanceof NotWritable)) throw error;
      const { code, message } = error.diagnostic;
      const errors = [{ pointer: '', code: String(code), message }];
      throw new AppError('QUESTION_UNANSWERABLE', { detail: message, errors });
    }
  };
  const source = sourceOf(definition, {
    ...{ dialect, clock, rights: WHOLE, opaque: NO_IDS, params: writer.params },
  });
  const where = conditions.map((tree) => `(${sqlOf(() => writer.sql(tree!, source.column))})`);
  const terms = order.map(({ column, direction }) => {
    const number = definition.fields.get(column!.column.fieldId!)!.ordinal + 1;
    const term = { tree: column!.tree, number, descending: (direction === 'desc') !== isFromEnd };
    return sqlOf(() => writer.order(term, source.column));
  });
  const sql = [
    `SELECT * FROM ${source.relation(table!.id)}`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(terms.length > 0 ? [`ORDER BY ${terms.join(', ')}`] : []),
  ].join('\n');
  return { sql, params: writer.params };
}

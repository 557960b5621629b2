import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { answerQuestion, compileFor, type QuestionAnswer, type QuestionCommand } from './answer-question.ts';
import type { Total } from './answer-rows.ts';
import type { AnswerColumn } from './binder.ts';
import type { CompiledQuestion } from './compile-question.ts';
import type { QuestionDeps } from './question-context.ts';
import type { PivotInput, QuestionInput } from './schemas.ts';

export interface PivotCommand extends QuestionCommand {
  pivot: PivotInput;
}

/** A column of a pivoted answer; measures say for which values of the pivoted dimensions, or that they are totals. */
export interface PivotColumn extends AnswerColumn {
  group?: readonly unknown[];
  isTotal?: true;
}

export interface PivotAnswer extends Omit<QuestionAnswer, 'columns'> {
  columns: readonly PivotColumn[];
  pivot: { columns: readonly AnswerColumn[]; groups: readonly (readonly unknown[])[] };
}

const MAX_CELLS = 50_000;
/** A filter has at most so many values. */
const MAX_FILTER_VALUES = 1000;

type Row = readonly unknown[];

/**
 * The answer with the values of some dimensions beside each other. Totals of rows, of columns and of both are questions
 * of their own, so they are right for measures that cannot be added, and null for values of other periods where they
 * have no time. Throws as `answerQuestion` does, and
 * `QUESTION_UNANSWERABLE` for more groups or cells than an answer can have.
 */
export async function answerPivot(deps: QuestionDeps, { pivot, ...command }: PivotCommand): Promise<PivotAnswer> {
  const compiled = await compileFor(deps, { ...command, totals: 'none' });
  const plan = planOf(command, compiled, pivot);
  const { totals } = command;
  const [rows, groups] = await Promise.all([
    answerQuestion(deps, plan.rows),
    answerQuestion(deps, { ...plan.question(0), sort: plan.groupSort, limit: pivot.maxGroups }),
  ]);
  if (groups.truncated)
    throw unanswerable(
      `The pivoted dimensions have more than ${pivot.maxGroups} groups. Filter them, or raise maxGroups.`,
    );
  const depth = plan.rowDimensions.length;
  // Subtotals are those of each leading part of the rows.
  const levels = totals === 'all' ? Array.from({ length: depth }, (_, level) => level + 1) : depth > 0 ? [depth] : [];
  const shown = rows.truncated ? firstValues(plan, rows) : [];
  const answers = await Promise.all(
    levels.map(async (level) => {
      const question = plan.question(level);
      const resultFilters = level === depth ? shown : [];
      const answer = await answerQuestion(deps, { ...question, resultFilters, limit: MAX_CELLS });
      if (!answer.truncated) return { level, answer };
      throw unanswerable(`The answer has more than ${MAX_CELLS} cells. Filter it, or use fewer dimensions.`);
    }),
  );
  const cells = new Map(
    [{ level: 0, answer: groups }, ...answers].map(({ level, answer }) => [level, cellsOf(plan, answer, level)]),
  );
  const keys = readRows(groups).map((row) => row.slice(0, plan.pivoted.length));
  const wide = (level: number, row: Row): unknown[] => {
    const [dimensions, measures] = [row.slice(0, depth), row.slice(depth)];
    const start = JSON.stringify(dimensions.slice(0, level));
    const none = plan.measures.map(() => null);
    const inGroups = keys.flatMap((key) => cells.get(level)!.get(`${start}${JSON.stringify(key)}`) ?? none);
    return [...dimensions, ...inGroups, ...(totals === 'none' ? [] : measures)];
  };
  const all = [rows, groups, ...answers.map(({ answer }) => answer)];
  const widened = readRows(rows).map((row) => wide(depth, row));
  return {
    columns: [
      ...plan.rowDimensions,
      ...keys.flatMap((group) => plan.measures.map((measure): PivotColumn => ({ ...measure, group }))),
      ...(totals === 'none' ? [] : plan.measures.map((measure): PivotColumn => ({ ...measure, isTotal: true }))),
    ],
    pivot: { columns: plan.pivoted, groups: keys },
    rowsJson: JSON.stringify(widened),
    rowCount: widened.length,
    truncated: rows.truncated,
    tiesCut: rows.tiesCut,
    totals: rows.totals.map(({ level, row }): Total => ({ level, row: wide(level, row) })),
    warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
    asOf: all.map(({ asOf }) => asOf).sort()[0]!,
    timezone: rows.timezone,
    stats: {
      ms: Math.max(...all.map(({ stats }) => stats.ms)),
      bytes: all.reduce((sum, { stats }) => sum + stats.bytes, 0),
      cache: all.find(({ stats }) => stats.cache !== 'hit')?.stats.cache ?? 'hit',
    },
  };
}

/** The questions that a pivoted one consists of. */
interface Plan {
  rowDimensions: readonly AnswerColumn[];
  pivoted: readonly AnswerColumn[];
  /** Those that the answer shows. */
  measures: readonly AnswerColumn[];
  /** The rows with their totals; they decide which rows there are, and their order. */
  rows: QuestionCommand;
  groupSort: QuestionInput['sort'];
  /** The cells of a leading part of the rows. */
  question(level: number): QuestionCommand;
  firstDimension: QuestionInput['dimensions'][number] | undefined;
}

/** What is wrong with a pivot of a question with these columns. */
export function pivotIssues(
  { dimensions, measures, resultFilters, sort }: Omit<QuestionInput, 'filters' | 'limit' | 'totals' | 'timezone'>,
  { columns, ofPeriods }: Pick<CompiledQuestion, 'columns' | 'ofPeriods'>,
  pivot: Pick<PivotInput, 'columns'>,
): Issue[] {
  const names = columns.slice(0, dimensions.length).map(({ name }) => name);
  const time = timeIn(dimensions, columns);
  const withoutTotal = time !== undefined && pivot.columns.includes(time) ? ofPeriods : [];
  const totalIssues = (list: 'sort' | 'resultFilters', items: readonly { column: string }[]) =>
    items.flatMap(({ column }, index): Issue[] => {
      const message = `has no value for a whole row, because "${time}" is pivoted: PRIOR and TRAILING have one for each period; name another measure`;
      return withoutTotal.includes(column) ? [{ pointer: `/${list}/${index}/column`, code: 'CONFLICT', message }] : [];
    });
  return [
    ...totalIssues('sort', sort),
    ...totalIssues('resultFilters', resultFilters),
    ...pivot.columns.flatMap((name, index): Issue[] => {
      const message = `is not the name of a dimension of the question${suggestion(name, names)}`;
      return names.includes(name) ? [] : [{ pointer: `/pivot/columns/${index}`, code: 'UNKNOWN_COLUMN', message }];
    }),
    ...dimensions.flatMap(({ fill }, index): Issue[] =>
      fill
        ? [{ pointer: `/dimensions/${index}/fill`, code: 'CONFLICT', message: 'has no effect on pivoted answers' }]
        : [],
    ),
    ...resultFilters.flatMap(({ column }, index): Issue[] =>
      pivot.columns.includes(column)
        ? [{ pointer: `/resultFilters/${index}/column`, code: 'CONFLICT', message: 'is pivoted; use `filters`' }]
        : [],
    ),
    ...(measures.every(({ hidden }) => hidden)
      ? [{ pointer: '/measures', code: 'REQUIRED', message: 'needs at least one item to show' }]
      : []),
  ];
}

/** The name of the dimension of time. */
const timeIn = (dimensions: QuestionInput['dimensions'], columns: readonly AnswerColumn[]): string | undefined =>
  columns[dimensions.findIndex(({ grain }) => grain !== undefined)]?.name;

/** Throws `VALIDATION_FAILED`. */
function planOf(
  command: QuestionCommand,
  { columns, ofPeriods }: Pick<CompiledQuestion, 'columns' | 'ofPeriods'>,
  pivot: PivotInput,
): Plan {
  const { dimensions, measures, sort } = command;
  const time = timeIn(dimensions, columns);
  const names = columns.slice(0, dimensions.length).map(({ name }) => name);
  const isPivoted = (name: string) => pivot.columns.includes(name);
  const errors = pivotIssues(command, { columns, ofPeriods }, pivot);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  // Each question calls its columns as the whole one does.
  const named = <T extends object>(items: readonly T[], from: number) =>
    items.map((item, index) => ({
      item: { ...item, label: columns[from + index]!.name },
      column: columns[from + index]!,
    }));
  const bound = named(dimensions, 0);
  const rowed = bound.filter(({ column }) => !isPivoted(column.name));
  const pivoted = pivot.columns.map((name) => bound[names.indexOf(name)]!);
  const values = named(measures, dimensions.length);
  const shown = values.filter(({ column }) => !column.hidden);
  const rowSort = sort.filter(({ column }) => !isPivoted(column));
  // In the order of the question, by which SHARE_OF_PARENT knows the last one.
  const cellDimensions = (level: number) =>
    bound.filter((each) => pivoted.includes(each) || rowed.slice(0, level).includes(each));
  return {
    rowDimensions: rowed.map(({ column }) => column),
    pivoted: pivoted.map(({ column }) => column),
    measures: shown.map(({ column }) => column),
    rows: {
      ...command,
      dimensions: rowed.map(({ item }) => item),
      measures: values.map(({ item }) => item),
      sort: rowSort,
      totals: rowed.length === 0 ? 'none' : command.totals,
      time,
    },
    groupSort: sort.filter(({ column }) => isPivoted(column)),
    question: (level) => ({
      ...command,
      dimensions: (level === 0 ? pivoted : cellDimensions(level)).map(({ item }) => item),
      measures: shown.map(({ item }) => item),
      sort: [],
      resultFilters: [],
      totals: 'none',
      time,
    }),
    firstDimension: rowed[0]?.item,
  };
}

/**
 * A condition that keeps the cells of the rows of the answer and few others, where a field says it. It is one on
 * groups, because measures such as SHARE compare each group with all of them.
 */
function firstValues({ firstDimension }: Plan, rows: QuestionAnswer): QuestionInput['resultFilters'] {
  const { fieldId, grain, bin, label } = firstDimension ?? {};
  const values = new Set(readRows(rows).map(([value]) => value));
  if (fieldId === undefined || label === undefined || grain || bin) return [];
  if (values.has(null) || values.size > MAX_FILTER_VALUES) return [];
  return [{ column: label, op: 'in', values: [...values] as (string | number | boolean)[] }];
}

/** The measures by the values of the dimensions: those of the rows, then those of the groups. */
function cellsOf({ rowDimensions, pivoted }: Plan, answer: QuestionAnswer, level: number): Map<string, Row> {
  const placeOf = ({ name }: AnswerColumn) => answer.columns.findIndex((column) => column.name === name);
  const [ofRow, ofGroup] = [rowDimensions.slice(0, level).map(placeOf), pivoted.map(placeOf)];
  const valuesOf = (row: Row, places: readonly number[]) => JSON.stringify(places.map((at) => row[at]));
  return new Map(
    readRows(answer).map((row) => [
      `${valuesOf(row, ofRow)}${valuesOf(row, ofGroup)}`,
      row.slice(ofRow.length + ofGroup.length),
    ]),
  );
}

const readRows = ({ rowsJson }: QuestionAnswer): Row[] => JSON.parse(rowsJson) as Row[];

const unanswerable = (detail: string) =>
  new AppError('QUESTION_UNANSWERABLE', {
    detail,
    errors: [{ pointer: '/pivot', code: 'TOO_LARGE', message: detail }],
  });

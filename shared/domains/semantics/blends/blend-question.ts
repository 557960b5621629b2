import { type GroupedBlend, type GroupJoin, groupSql, keyName, wholeOnly } from '../../../data/blends/group-sql.ts';
import { type Join, type JoinKey, SIDES, type Side } from '../../../data/blends/join-sql.ts';
import { aggregatesOf, type Typed } from '../../../data/expressions/index.ts';
import { Leaves } from '../../../data/semantics/leaves.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { fieldsOf, type ModelDefinition } from '../models/index.ts';
import { type CacheOutcome, canonicalTimezone } from '../queries/index.ts';
import {
  type AnswerColumn,
  answerRows,
  type BoundColumn,
  type CompileDeps,
  type CompiledGroups,
  compileGroups,
  conditionOn,
  contextOf,
  type GroupsInput,
  orderFromEnd,
  type QuestionDeps,
  type QuestionInput,
  rowsToRead,
  type Total,
} from '../questions/index.ts';
import type { ReaderRights } from '../row-rights/index.ts';
import { cachedAnswer } from './cached-answer.ts';
import type { BlendDeps } from './deps.ts';
import { MAX_BYTES, MIN_MS, usableKeys } from './execute-blend.ts';
import type { BlendAnswer, BlendRequest } from './protocol.ts';
import { pushedKeys } from './pushed-keys.ts';
import type { BlendRecord } from './records.ts';
import { bothOrIssues, bothSides, sourceOf } from './side-statement.ts';
import { fieldOfKey, sideOf } from './sides.ts';
import { groupWarnings } from './warnings.ts';

/** An item of a question may say which side it is about, where that does not follow from what it names. */
type OfSide<T> = T & { side?: Side | undefined };

type BlendFilter = OfSide<Omit<QuestionInput['filters'][number], 'anyOf'>> & {
  anyOf?: readonly OfSide<NonNullable<QuestionInput['filters'][number]['anyOf']>[number]>[] | undefined;
};

/** A question to the groups of a blend. */
export interface BlendQuestion {
  blend: BlendRecord;
  principal: Principal;
  /** A field that both sides have is that of the left one, unless they say another side. */
  dimensions: readonly OfSide<QuestionInput['dimensions'][number]>[];
  measures: readonly OfSide<QuestionInput['measures'][number]>[];
  /** One without a side applies to each side that has the field. */
  filters: readonly BlendFilter[];
  /** The same, of a reader: they choose joined rows, so that rows without a match on their side are left out. */
  readerFilters: QuestionInput['filters'];
  resultFilters: QuestionInput['resultFilters'];
  sort: QuestionInput['sort'];
  isFromEnd?: QuestionInput['isFromEnd'];
  totals: QuestionInput['totals'];
  joinType: Join;
  limit: number;
  timezone: string;
}

interface Options {
  timeoutMs: number;
  maxAgeSeconds?: number | undefined;
}

export interface BlendGroups extends Pick<BlendAnswer, 'rowsJson' | 'rowCount' | 'truncated'> {
  columns: readonly AnswerColumn[];
  totals: readonly Total[];
  warnings: readonly string[];
  timezone: string;
  asOf: string;
  cache: CacheOutcome;
}

type CompiledBlend = Pick<Awaited<ReturnType<typeof compileBlendQuestion>>, 'sides' | 'definitions'>;

/**
 * The statements for a question: those of both sides, and the one that joins their groups. Reads no rows. Throws
 * `BLEND_STALE`, `VALIDATION_FAILED`, `BLEND_NOT_ADDITIVE` and `QUESTION_UNANSWERABLE`.
 */
export async function compileBlendQuestion(
  deps: CompileDeps & Pick<QuestionDeps, 'definitions'>,
  question: BlendQuestion,
) {
  const { blend, principal } = question;
  const timezone = canonicalTimezone(question.timezone);
  const { keys, kinds, definitions } = await usableKeys(deps, blend);
  const placed = placedItems(question, definitions);
  const sides = await bothOrIssues(
    bothSides(async (side): Promise<CompiledGroups & { ofCaller: ReaderRights }> => {
      const {
        timezone: _same,
        ofCaller,
        ...context
      } = await contextOf(deps, definitions[side], { principal, timezone });
      const fieldIds = blend.keys.map((key) => fieldOfKey(key, side));
      assertKeysUsable(blend, definitions[side], { side, fieldIds, denied: context.denied });
      const { tableId } = sideOf(blend, side);
      return { ...compileGroups(definitions[side], { tableId, keys: fieldIds, ...placed[side] }, context), ofCaller };
    }),
  );
  const joinKeys = keys.map(
    (key, index): JoinKey => ({
      ...key,
      left: { column: keyName(index), kind: kinds[index]!.left },
      right: { column: keyName(index), kind: kinds[index]!.right },
    }),
  );
  const named = namedColumns(question, placed, sides);
  const clock = { now: deps.now(), timezone };
  const joinType = joinFor(question.joinType, placed.chosen);
  const { statement, columns } = joinedGroups(
    { ...question, joinType },
    { keys: joinKeys, sides, named, clock, definitions },
  );
  return { columns, definitions, sides, keys: joinKeys, result: { join: joinType, statement }, timezone };
}

/** The groups of the rows that the caller may see. Throws the same, and what reading and joining throw. */
export async function answerBlendQuestion(
  deps: BlendDeps,
  question: BlendQuestion,
  { timeoutMs, maxAgeSeconds }: Options,
): Promise<BlendGroups> {
  const { blend, principal } = question;
  const startedAt = deps.now().getTime();
  const { columns, keys, result, timezone, ...compiled } = await compileBlendQuestion(deps, question);
  const read = await readSides(deps, compiled);
  const request: BlendRequest = {
    workspaceId: blend.workspaceId,
    left: read.left.statement,
    right: read.right.statement,
    keys,
    pushedKeys: [],
    result,
    limit: rowsToRead(question),
    maxBytes: MAX_BYTES,
    timeoutMs: Math.max(MIN_MS, timeoutMs - (deps.now().getTime() - startedAt)),
    timezone,
  };
  request.pushedKeys = pushedKeys(request, compiled.definitions.right);
  const { answer, cache, asOf } = await cachedAnswer(deps, { request, compiled: read, principal, maxAgeSeconds });
  const { statistics, pushedDown, warnings } = answer;
  const { rowsJson, rowCount, truncated, totals } = answerRows(
    { ...answer, payload: answer.rowsJson },
    question,
    columns,
  );
  return {
    columns: columns.filter(({ hidden }) => !hidden),
    rowsJson,
    rowCount,
    totals,
    truncated,
    warnings: [
      ...SIDES.flatMap((side) => compiled.sides[side].warnings),
      ...groupWarnings(statistics, { blend, keys, isPushed: pushedDown !== null }),
      ...warnings,
    ],
    timezone,
    asOf,
    cache,
  };
}

async function readSides(deps: BlendDeps, { sides, definitions }: CompiledBlend) {
  return bothOrIssues(bothSides((side) => sourceOf(deps, definitions[side], sides[side], sides[side].ofCaller)));
}

/** A join shows which values of the keys are equal, so the caller must be allowed to use them. */
function assertKeysUsable(
  blend: BlendRecord,
  { fields }: ModelDefinition,
  { side, fieldIds, denied }: { side: Side; fieldIds: readonly string[]; denied: ReadonlySet<string> },
): void {
  const id = fieldIds.find((fieldId) => denied.has(fieldId));
  if (id === undefined) return;
  const detail = `The sides are joined by ${sideOf(blend, side).alias}.${fields.get(id)!.name}, which you may not use.`;
  throw new AppError('QUESTION_UNANSWERABLE', { detail, errors: [{ pointer: '', code: '2004', message: detail }] });
}

type PlacedItems = Record<Side, Pick<GroupsInput, 'dimensions' | 'measures' | 'filters'>> & {
  sidesOf: Record<'dimensions' | 'measures', Side[]>;
  /** The sides whose rows the reader has chosen. */
  chosen: ReadonlySet<Side>;
};

/** The join without the rows that have no match on a side whose rows are chosen. */
function joinFor(join: Join, chosen: ReadonlySet<Side>): GroupJoin {
  const keepsLeft = join !== 'inner' && !chosen.has('right');
  const keepsRight = join === 'full' && !chosen.has('left');
  if (keepsLeft) return keepsRight ? 'full' : 'left';
  return keepsRight ? 'right' : 'inner';
}

/** The items by the side that they are about. Throws `VALIDATION_FAILED` for those of none, or of both. */
function placedItems(question: BlendQuestion, definitions: Record<Side, ModelDefinition>): PlacedItems {
  const issues: Issue[] = [];
  const sidesOfItem = sidesIn(question.blend, definitions);
  const sidesOf: PlacedItems['sidesOf'] = { dimensions: [], measures: [] };
  const placed = bothSides(() => ({
    dimensions: [] as GroupsInput['dimensions'][number][],
    measures: [] as GroupsInput['measures'][number][],
    filters: [] as GroupsInput['filters'][number][],
  }));
  for (const list of ['dimensions', 'measures'] as const) {
    for (const [index, { side: wanted, ...item }] of question[list].entries()) {
      const pointer = `/${list}/${index}`;
      const [side, ...others] = sidesOfItem({ side: wanted, ...item }, pointer, issues);
      if (others.length > 0 && list === 'measures') issues.push(bothHave(item, pointer));
      if (side === undefined) continue;
      placed[side][list].push({ ...item, pointer });
      sidesOf[list].push(side);
    }
  }
  /** The sides of all conditions: one that does not hold on its side says nothing about the other. */
  const sidesOfAny = (anyOf: NonNullable<BlendFilter['anyOf']>, side: Side | undefined, pointer: string): Side[] => {
    const known = issues.length;
    const found = anyOf.map((each, index) => sidesOfItem({ side, ...each }, `${pointer}/anyOf/${index}`, issues));
    const shared = SIDES.filter((each) => found.every((sides) => sides.includes(each)));
    const message = 'has conditions on different sides, and a filter chooses among the rows of one side';
    if (shared.length === 0 && issues.length === known)
      issues.push({ pointer: `${pointer}/anyOf`, code: 'CONFLICT', message });
    return shared;
  };
  const addFilter = ({ side, anyOf, ...filter }: BlendFilter, pointer: string): Side[] => {
    const isGroup = anyOf !== undefined && filter.fieldId === undefined && filter.expression === undefined;
    const found = isGroup ? sidesOfAny(anyOf, side, pointer) : sidesOfItem({ side, ...filter }, pointer, issues);
    const alternatives = anyOf?.map(({ side: _side, ...each }) => each);
    for (const each of found)
      placed[each].filters.push({ ...filter, ...(alternatives && { anyOf: alternatives }), pointer });
    return found;
  };
  for (const [index, filter] of question.filters.entries()) addFilter(filter, filter.pointer ?? `/filters/${index}`);
  const chosen = new Set(question.readerFilters.flatMap((filter) => addFilter(filter, filter.pointer ?? '')));
  const isShown = question.dimensions.length > 0 || question.measures.some(({ hidden }) => !hidden);
  if (!isShown && issues.length === 0)
    issues.push({
      pointer: '/measures',
      code: 'REQUIRED',
      message: 'needs at least one item unless dimensions has one',
    });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return { ...placed, sidesOf, chosen };
}

type Item = OfSide<{ fieldId?: string; measureId?: string; expression?: string }>;

/** Finds the sides whose table has a field, or whose model has a measure; reports what none has. */
function sidesIn(blend: BlendRecord, definitions: Record<Side, ModelDefinition>) {
  const hasField = (side: Side, id: string) =>
    definitions[side].fields.get(id)?.tableId === sideOf(blend, side).tableId;
  const hasMeasure = (side: Side, id: string) => definitions[side].measures.has(id);
  return ({ side, fieldId, measureId }: Item, pointer: string, issues: Issue[]): Side[] => {
    if (fieldId === undefined && measureId === undefined) {
      if (side !== undefined) return [side];
      issues.push({ pointer: `${pointer}/side`, code: 'REQUIRED', message: 'is required with an expression' });
      return [];
    }
    const has = (each: Side) => (fieldId === undefined ? hasMeasure(each, measureId!) : hasField(each, fieldId));
    const found = SIDES.filter((each) => (side === undefined || each === side) && has(each));
    if (found.length > 0) return found;
    if (fieldId === undefined) {
      const message = 'is not a measure of the models of the blend';
      issues.push({ pointer: `${pointer}/measureId`, code: 'UNKNOWN_MEASURE', message });
    } else {
      const known = SIDES.flatMap((each) => fieldsOf(definitions[each], sideOf(blend, each).tableId));
      const near = suggestion(
        fieldId,
        known.map(({ id }) => id),
      );
      const table = side === undefined ? 'either table' : `the table ${sideOf(blend, side).alias}`;
      const message = `is not a field of ${table} of the blend${near}`;
      issues.push({ pointer: `${pointer}/fieldId`, code: 'UNKNOWN_FIELD', message });
    }
    return [];
  };
}

const bothHave = ({ measureId }: Item, pointer: string): Issue => ({
  pointer: `${pointer}/side`,
  code: 'REQUIRED',
  message:
    measureId === undefined
      ? 'is required, because both sides are the same table'
      : 'is required, because both tables are of the same model',
});

interface NamedColumn extends BoundColumn {
  side: Side;
  /** Where the request has it. */
  pointer: string;
  hasLabel: boolean;
}

/** The columns in the order of the request; without a label, the alias of the side precedes the name. */
function namedColumns(
  { blend, dimensions, measures }: BlendQuestion,
  { sidesOf }: PlacedItems,
  sides: Record<Side, CompiledGroups>,
): Record<'dimensions' | 'measures', NamedColumn[]> {
  const named = (list: 'dimensions' | 'measures', items: readonly { label?: string; hidden?: boolean }[]) => {
    const next = { left: 0, right: 0 };
    return items.map(({ label, hidden }, index): NamedColumn => {
      const side = sidesOf[list][index]!;
      const bound = sides[side][list][next[side]++]!;
      const name = label ?? `${sideOf(blend, side).alias}.${bound.label}`;
      const column = { ...bound.column, name, ...(hidden && { hidden }) };
      return { ...bound, side, column, label: name, pointer: `/${list}/${index}`, hasLabel: label !== undefined };
    });
  };
  return { dimensions: named('dimensions', dimensions), measures: named('measures', measures) };
}

/** Throws `VALIDATION_FAILED` for names of no column, and `BLEND_NOT_ADDITIVE`. */
function joinedGroups(
  question: Omit<BlendQuestion, 'joinType'> & { joinType: GroupJoin },
  {
    keys,
    sides,
    named,
    clock,
    definitions,
  }: {
    keys: readonly JoinKey[];
    sides: Record<Side, CompiledGroups>;
    named: Record<'dimensions' | 'measures', NamedColumn[]>;
    clock: { now: Date; timezone: string };
    definitions: Record<Side, ModelDefinition>;
  },
) {
  const { joinType: join, limit, totals } = question;
  const all = [...named.dimensions, ...named.measures];
  assertAdditive(question, named, definitions);
  const issues: Issue[] = [];
  for (const [index, { label, pointer }] of all.entries())
    if (all.findIndex((each) => each.label === label) < index) {
      const message = 'is already the name of another column; choose a different label';
      issues.push({ pointer: `${pointer}/label`, code: 'CONFLICT', message });
    }
  const names = all.map(({ label }) => label);
  const indexOfColumn = (name: string, pointer: string) => {
    const message = `is not a column of the reply${suggestion(name, names)}`;
    if (!names.includes(name)) issues.push({ pointer, code: 'UNKNOWN_COLUMN', message });
    return names.indexOf(name);
  };
  const leaves = { left: new Leaves(), right: new Leaves() };
  const measures = named.measures.map((each) => ({ ...each, tree: leaves[each.side].resolve(each.tree) }));
  const trees = [...named.dimensions, ...measures].map(({ tree }) => tree);
  const resultFilters = question.resultFilters.flatMap(({ column, ...condition }, index): Typed[] => {
    const pointer = `/resultFilters/${index}`;
    const at = indexOfColumn(column, `${pointer}/column`);
    if (at < 0) return [];
    const { calendar } = definitions[[...named.dimensions, ...measures][at]!.side].model;
    const made = conditionOn(trees[at]!, condition, { ...clock, calendar });
    if (!('issues' in made)) return [made];
    issues.push(...made.issues.map((issue) => ({ ...issue, pointer: `${pointer}${issue.pointer}` })));
    return [];
  });
  const sort = question.sort.map(({ column, direction }, index) => ({
    position: indexOfColumn(column, `/sort/${index}/column`),
    descending: direction === 'desc',
  }));
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const grouped: GroupedBlend = {
    keys,
    join,
    sides: bothSides((side) => ({ parts: sides[side].parts })),
    dimensions: named.dimensions,
    measures,
    leaves: SIDES.flatMap((side) => leaves[side].all.map((leaf) => ({ ...leaf, side }))),
    resultFilters,
    sort: question.isFromEnd ? orderFromEnd(sort, named.dimensions.length) : sort,
    totals,
    // One more than wanted shows whether there are more. Subtotals need all rows.
    ...(totals === 'all' ? {} : { limit: limit + 1 }),
  };
  const { sql, params } = groupSql(grouped, clock);
  type Statement = Extract<BlendRequest['result'], { statement: unknown }>['statement'];
  const statement: Statement = { sql, params: [...params] as Statement['params'] };
  return { statement, columns: all.map(({ column }) => column) };
}

/**
 * Measures are computed for each value of the keys and put together from these. Throws `BLEND_NOT_ADDITIVE` where the
 * value of a group does not follow from its parts, unless each group has only one. Totals have the parts of many.
 */
function assertAdditive(
  { blend, totals }: Pick<BlendQuestion, 'blend' | 'totals'>,
  { dimensions, measures }: Record<'dimensions' | 'measures', NamedColumn[]>,
  definitions: Record<Side, ModelDefinition>,
): void {
  const isWhole = bothSides((side) => {
    const plain = dimensions.filter((each) => each.side === side && each.tree.kind === 'field' && !each.tree.body);
    const grouped = new Set(plain.map(({ column: { fieldId } }) => fieldId));
    return blend.keys.every((key) => grouped.has(fieldOfKey(key, side)));
  });
  for (const { side, tree, label, pointer } of measures) {
    const leaves = new Leaves();
    leaves.resolve(tree);
    const isWindow = leaves.ranks.length > 0 || leaves.all.some(({ scope }) => scope.kind !== 'group');
    const [unfit] = isWhole[side] && totals === 'none' ? [] : wholeOnly(aggregatesOf(tree));
    if (!isWindow && !unfit) continue;
    const { alias } = sideOf(blend, side);
    const keys = blend.keys.map((key) => `${alias}.${definitions[side].fields.get(fieldOfKey(key, side))!.name}`);
    const why = isWindow
      ? `"${label}" compares a group with others, which is not possible for groups of joined rows`
      : `${unfit!.name} of "${label}" cannot be computed from its values for each key, and its sum would be wrong`;
    const remedy = isWindow
      ? 'Use a measure of the group alone.'
      : `${isWhole[side] ? 'Leave out `totals`' : `Group by ${keys.join(' and ')}${totals === 'none' ? '' : ' without `totals`'}`}, or use a sum, count, average, minimum or maximum.`;
    throw new AppError('BLEND_NOT_ADDITIVE', {
      detail: `${why}. ${remedy}`,
      errors: [{ pointer, code: 'BLEND_NOT_ADDITIVE', message: `${why}. ${remedy}` }],
      members: { measure: label, why, remedy },
    });
  }
}

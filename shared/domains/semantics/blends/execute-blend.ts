import type { Join, JoinStatistics, Side, SortedColumn } from '../../../data/blends/join-sql.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import type { ModelDefinition } from '../models/index.ts';
import { type CacheOutcome, canonicalTimezone } from '../queries/index.ts';
import type { AnswerColumn, QuestionInput } from '../questions/index.ts';
import { cachedAnswer } from './cached-answer.ts';
import type { BlendDeps } from './deps.ts';
import { comparedKeys } from './keys.ts';
import type { BlendAnswer, BlendRequest } from './protocol.ts';
import { pushedKeys } from './pushed-keys.ts';
import type { BlendRecord } from './records.ts';
import { bothOrIssues, bothSides, type CompiledSide, compileSide } from './side-statement.ts';
import { definitionsOf, fieldOfKey, sideOf } from './sides.ts';
import { type BlendWarning, joinedRows, warningsOf } from './warnings.ts';

export interface BlendCommand {
  blend: BlendRecord;
  principal: Principal;
  leftColumns: readonly string[];
  rightColumns: readonly string[];
  leftFilters: QuestionInput['filters'];
  rightFilters: QuestionInput['filters'];
  joinType: Join;
  sort: QuestionInput['sort'];
  limit: number;
  timeoutMs: number;
  timezone: string;
  maxAgeSeconds?: number | undefined;
}

/** A column of the answer, named by its side: `orders.amount`. */
export interface BlendColumn extends Omit<AnswerColumn, 'role'> {
  side: Side;
}

export interface BlendResult extends Pick<BlendAnswer, 'rowsJson' | 'rowCount' | 'truncated'> {
  columns: BlendColumn[];
  /** How many rows the join has, of which those up to the limit are returned. */
  totalRows: number;
  warnings: BlendWarning[];
  timezone: string;
  asOf: string;
  stats: Record<string, unknown> & { ms: number; bytes: number; cache: CacheOutcome };
}

/** A reply may have 6 MB, and quoting can double the size of text. */
export const MAX_BYTES = 2.75 * 1024 * 1024;

/**
 * The rows of both sides that the caller may see, joined. Throws `BLEND_STALE`, `VALIDATION_FAILED`, and what reading a
 * side or joining them throws.
 */
export async function executeBlend(deps: BlendDeps, command: BlendCommand): Promise<BlendResult> {
  const { blend, principal, joinType, maxAgeSeconds } = command;
  const startedAt = deps.now().getTime();
  const timezone = canonicalTimezone(command.timezone);
  const { keys, kinds, definitions } = await usableKeys(deps, blend);
  const compiled = await compileSides(deps, command, definitions);
  const { left, right } = compiled;
  const columns = columnsOf(blend, compiled);
  const request: BlendRequest = {
    workspaceId: blend.workspaceId,
    left: left.statement,
    right: right.statement,
    keys: keys.map((key, index) => ({
      ...key,
      left: { column: left.keyColumns[index]!, kind: kinds[index]!.left },
      right: { column: right.keyColumns[index]!, kind: kinds[index]!.right },
    })),
    pushedKeys: [],
    result: {
      columns: columns.map(({ side, name }, index) => ({
        side,
        name,
        column: `c${(side === 'left' ? index : index - left.columns.length) + 1}`,
      })),
      join: joinType,
      sort: sortOf(command.sort, columns),
    },
    limit: command.limit,
    maxBytes: MAX_BYTES,
    timeoutMs: Math.max(MIN_MS, command.timeoutMs - (deps.now().getTime() - startedAt)),
    timezone,
  };
  request.pushedKeys = pushedKeys(request, definitions.right);
  const { answer, cache, asOf } = await cachedAnswer(deps, { request, compiled, principal, maxAgeSeconds });
  const { rowsJson, rowCount, truncated, statistics, pushedDown, readBytes, leftMs, rightMs, joinMs } = answer;
  const totalRows = joinedRows(statistics, joinType);
  return {
    columns,
    rowsJson,
    rowCount,
    truncated,
    totalRows,
    warnings: warningsOf(statistics, {
      ...{ blend, keys, joinType, totalRows, rowCount, truncated },
      isPushed: pushedDown !== null,
    }),
    timezone,
    asOf,
    stats: {
      ms: leftMs + rightMs + joinMs,
      bytes: readBytes,
      cache,
      leftMs,
      rightMs,
      joinMs,
      pushedDown,
      ...showStatistics(statistics, pushedDown !== null),
    },
  };
}

/** Compiling leaves at least so much time for the join. */
export const MIN_MS = 1000;

/** The keys as they are compared now. Throws `BLEND_STALE` with what is wrong with them. */
export async function usableKeys(deps: Pick<BlendDeps, 'definitions'>, blend: BlendRecord) {
  const definitions = await definitionsOf(deps.definitions, blend);
  const compared = comparedKeys(blend, definitions);
  if (!('issues' in compared)) return { ...compared, definitions: definitions as Record<Side, ModelDefinition> };
  const errors = compared.issues.map(({ pointer, code, message }) => ({ pointer, code, message }));
  throw new AppError('BLEND_STALE', { errors });
}

/** Throws every issue of both sides together. */
async function compileSides(
  deps: BlendDeps,
  command: BlendCommand,
  definitions: Record<Side, ModelDefinition>,
): Promise<Record<Side, CompiledSide>> {
  const { blend, principal, timezone } = command;
  const wanted = {
    left: { columns: command.leftColumns, filters: command.leftFilters },
    right: { columns: command.rightColumns, filters: command.rightFilters },
  };
  if (wanted.left.columns.length + wanted.right.columns.length === 0) {
    const message = 'must have at least one column if rightColumns is empty';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/leftColumns', code: 'REQUIRED', message }] });
  }
  const compile = (side: Side) =>
    compileSide(
      deps,
      definitions[side],
      { side, ...sideOf(blend, side), ...wanted[side], keys: blend.keys.map((key) => fieldOfKey(key, side)) },
      { principal, timezone },
    );
  return bothOrIssues(bothSides(compile));
}

function columnsOf(blend: BlendRecord, compiled: Record<Side, CompiledSide>): BlendColumn[] {
  const ofSide = (side: Side): BlendColumn[] =>
    compiled[side].columns.map(({ role: _role, name, ...column }) => ({
      name: `${sideOf(blend, side).alias}.${name}`,
      side,
      ...column,
    }));
  return [...ofSide('left'), ...ofSide('right')];
}

function sortOf(sort: QuestionInput['sort'], columns: readonly BlendColumn[]): SortedColumn[] {
  const names = columns.map(({ name }) => name);
  const errors = sort.flatMap(({ column }, index): Issue[] => {
    const message = `is not a column of the reply${suggestion(column, names)}`;
    return names.includes(column) ? [] : [{ pointer: `/sort/${index}/column`, code: 'UNKNOWN_COLUMN', message }];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return sort.map(({ column, direction }) => ({ position: names.indexOf(column), descending: direction === 'desc' }));
}

/** Of a right side that was read by the keys of the left one, the rows that match nothing are not known. */
function showStatistics(found: JoinStatistics, isPushed: boolean) {
  const { leftRows, rightRows, leftNullKeys, rightNullKeys, leftUnconverted, rightUnconverted } = found;
  const { matchedLeft, matchedRight, leftMultiplicity, rightMultiplicity, maxMultiplicity } = found;
  const ofRight = <T>(value: T) => (isPushed ? null : value);
  return {
    leftRows,
    rightRows: ofRight(rightRows),
    leftNullKeys,
    rightNullKeys: ofRight(rightNullKeys),
    leftUnconverted,
    rightUnconverted: ofRight(rightUnconverted),
    matchedLeft,
    unmatchedLeft: leftRows - matchedLeft,
    unmatchedRight: ofRight(rightRows - matchedRight),
    leftUnique: leftMultiplicity <= 1,
    rightUnique: ofRight(rightMultiplicity <= 1),
    maxMultiplicity,
  };
}

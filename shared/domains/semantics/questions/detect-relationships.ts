import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import type { SqlParameter } from '../../../data/expressions/index.ts';
import type { Source } from '../../../data/semantics/writer.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import {
  type ModelDefinition,
  type ModelField,
  namedEnds,
  type RelationshipCandidate,
  relationshipCandidates,
} from '../models/index.ts';
import { sourceOf } from './model-source.ts';
import { contextOf, type QuestionDeps } from './question-context.ts';
import { runOnSource } from './run-on-source.ts';

const MAX_CANDIDATES = 40;
const BUDGET_MS = 20_000;
const TIMEOUT_MS = 5_000;
const AT_ONCE = 2;
const MAX_SAMPLED_ROWS = 100_000;
const MAX_SAMPLED_VALUES = 10_000;
/** With fewer values on the other side, a relationship would lose most rows. */
const MIN_CONTAINMENT = 0.5;
/** With fewer values, chance may explain that they are there. */
const FEW_VALUES = 10;

export interface DetectedRelationship extends ReturnType<typeof namedEnds> {
  joinType: 'left';
  cardinality: '1:1' | '1:N';
  confidence: number;
  evidence: { containment: number; sampleSize: number };
}

export interface Detection {
  items: DetectedRelationship[];
  isComplete: boolean;
}

/**
 * The relationships that names make likely and the rows that the caller may see confirm, the surest first. Candidates
 * that could not be measured in time are left out. Throws `MODEL_NOT_FOUND`, and what reaching the source throws.
 */
export async function detectRelationships(
  deps: QuestionDeps,
  { modelId, principal }: { modelId: string; principal: Principal },
): Promise<Detection> {
  const until = deps.now().getTime() + BUDGET_MS;
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const { denied, timezone, ofCaller, ...context } = await contextOf(deps, definition, { principal, timezone: 'UTC' });
  const likely = relationshipCandidates(definition).filter(
    ({ many, one }) => !denied.has(many.id) && !denied.has(one.id),
  );
  const queue = likely.slice(0, MAX_CANDIDATES);
  const items: DetectedRelationship[] = [];
  let isComplete = queue.length === likely.length;
  const measureNext = async () => {
    for (let candidate = queue.shift(); candidate; candidate = queue.shift()) {
      const timeoutMs = Math.min(TIMEOUT_MS, until - deps.now().getTime());
      const params: SqlParameter[] = [];
      const source = sourceOf(definition, { ...context, params });
      const run = async (sql: string) => {
        const statement = { sql, params, limit: 1, timeoutMs, timezone };
        return (await runOnSource(deps, { model: definition.model, principal, ofCaller }, statement)).payload;
      };
      const measured = timeoutMs > 0 ? await measure(source, candidate, run) : undefined;
      if (measured) items.push(...relationshipOf(definition, candidate, measured));
      else isComplete = false;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, measureNext));
  const name = ({ fromTable, fromField, toTable, toField }: DetectedRelationship) =>
    `${fromTable}.${fromField} ${toTable}.${toField}`;
  items.sort((a, b) => b.confidence - a.confidence || (name(a) < name(b) ? -1 : 1));
  return { items, isComplete };
}

interface Measured {
  rows: number;
  values: number;
  sampleSize: number;
  contained: number;
  /** The most rows that one value has on the side that should be unique. */
  repeats: number;
}

/**
 * Undefined if the candidate cannot be measured: its values do not compare, its table is gone, its steps do not fit, or
 * time is up.
 */
async function measure(
  source: Source,
  candidate: RelationshipCandidate,
  run: (sql: string) => Promise<string>,
): Promise<Measured | undefined> {
  try {
    const [row] = JSON.parse(await run(evidenceSql(source, candidate))) as [unknown[]];
    const [rows, values, sampleSize, contained, repeats] = row.map(Number) as [number, number, number, number, number];
    return { rows, values, sampleSize, contained, repeats };
  } catch (error) {
    if (error instanceof AppError && UNMEASURABLE.includes(error.code)) return undefined;
    throw error;
  }
}

const UNMEASURABLE: readonly string[] = [
  'SQL_ERROR',
  'RLS_ERROR',
  'DATASET_NOT_FOUND',
  'QUERY_TIMEOUT',
  'QUERY_TOO_HEAVY',
  'QUESTION_UNANSWERABLE',
];

function evidenceSql(source: Source, { many, one }: RelationshipCandidate): string {
  const isText = many.dataType === 'string' || [many, one].some(({ id }) => source.column(id).stored !== undefined);
  const values = (field: ModelField) => {
    const column = quoteIdentifier(source.column(field.id).column);
    const value = isText ? `CAST(${column} AS text)` : column;
    return `SELECT ${value} AS v FROM ${source.relation(field.tableId)} AS t WHERE ${column} IS NOT NULL`;
  };
  return `WITH
  "#many" AS (${values(many)} LIMIT ${MAX_SAMPLED_ROWS}),
  "#sample" AS (SELECT DISTINCT v FROM "#many" LIMIT ${MAX_SAMPLED_VALUES}),
  "#one" AS (SELECT v, count(*) AS n FROM (${values(one)}) AS s GROUP BY v)
SELECT
  (SELECT count(*) FROM "#many"),
  (SELECT count(DISTINCT v) FROM "#many"),
  (SELECT count(*) FROM "#sample"),
  (SELECT count(*) FROM "#sample" WHERE v IN (SELECT v FROM "#one")),
  (SELECT coalesce(max(n), 0) FROM "#one")`;
}

function relationshipOf(
  definition: ModelDefinition,
  { many, one, likelihood }: RelationshipCandidate,
  measured: Measured,
): DetectedRelationship[] {
  const { rows, values, sampleSize, contained, repeats } = measured;
  const containment = sampleSize === 0 ? 0 : contained / sampleSize;
  const isOneUnique = repeats === 1;
  const isManyUnique = rows === values && rows < MAX_SAMPLED_ROWS;
  if (containment < MIN_CONTAINMENT || !(isOneUnique || isManyUnique)) return [];
  const [from, to] = isOneUnique ? [one, many] : [many, one];
  const confidence = ((likelihood + containment) / 2) * (sampleSize < FEW_VALUES ? 0.8 : 1);
  return [
    {
      ...namedEnds(definition, from, to),
      joinType: 'left',
      cardinality: isOneUnique && isManyUnique ? '1:1' : '1:N',
      confidence: Math.round(confidence * 100) / 100,
      evidence: { containment: shareOf(containment), sampleSize },
    },
  ];
}

/** To four decimals; 1 only if no value is missing. */
const shareOf = (part: number): number => (part < 1 ? Math.min(0.9999, Math.round(part * 10_000) / 10_000) : 1);

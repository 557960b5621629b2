import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  type GateResult,
  type GateStatus,
  gateResultProperties,
  type SampledResult,
} from '../../../data/quality/gate-result.ts';
import { Id, Nullable, Timestamp } from '../../../platform/http/schemas.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow, queryItems } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
export const GateEvaluation = Type.Object(
  {
    id: Id,
    runId: Id,
    stepId: Type.String(),
    ...gateResultProperties,
    sample: Nullable(
      Type.Object(
        { columns: Type.Array(Type.String()), rows: Type.Array(Type.Array(Type.Unknown())) },
        { description: 'A sample of the failing rows; null for callers who may not run queries.' },
      ),
    ),
    at: Timestamp,
  },
  { $id: 'GateEvaluation', description: 'The result of a quality gate in one attempt of a step.' },
);
export type GateEvaluation = Static<typeof GateEvaluation>;

export const GateHealth = Type.Object(
  {
    pipelineId: Id,
    name: Type.String(),
    evaluations: Type.Integer({ description: 'Without skipped ones.' }),
    passed: Type.Integer(),
    failed: Type.Integer({ description: 'Including those that could not be evaluated.' }),
    warned: Type.Integer(),
    passRate: Nullable(Type.Number({ description: 'Between 0 and 1.' })),
    lastFailedAt: Nullable(Timestamp),
  },
  { $id: 'GateHealth', description: 'How often the quality gates of a pipeline have passed and failed.' },
);
export type GateHealth = Static<typeof GateHealth>;
export const GATE_DAYS = 90;
const evaluationPrefix = 'GATE#';
const healthArea = 'GATE-HEALTH';

interface Evaluated {
  workspaceId: string;
  pipelineId: string;
  runId: string;
  stepId: string;
  index: number;
  attempt: number;
}

/** The history entries and daily counters of the gates of an attempt: part of the transaction that ends it. */
export function gateItems(table: Table, of: Evaluated, results: readonly SampledResult[], at: Date): TransactItem[] {
  if (results.length === 0) return [];
  const time = at.toISOString();
  const expiresAt = Math.floor((at.getTime() + GATE_DAYS * DAY_MS) / 1000);
  const items = results.map((result): TransactItem => {
    const id = idFrom('gate', of.runId, of.index, of.attempt, result.gateId);
    const key = workspaceKey(of.workspaceId, `PIPELINE#${of.pipelineId}`, `${evaluationPrefix}${time}#${id}`);
    const { runId, stepId } = of;
    const evaluation: GateEvaluation = { id, runId, stepId, ...result, at: time };
    return { Put: { TableName: table.name, Item: { ...key, entity: 'gate-evaluation', ...evaluation, expiresAt } } };
  });
  const counted = countsOf(results);
  if (counted.evaluations === 0) return items;
  const day = workspaceKey(of.workspaceId, healthArea, `${time.slice(0, 10)}#${of.pipelineId}`);
  const failedAt = counted.failed > 0 ? { lastFailedAt: time } : {};
  const set = { entity: 'gate-health', pipelineId: of.pipelineId, expiresAt, ...failedAt };
  return [...items, { Update: updateOf(table, day, { add: counted, set }) }];
}

function countsOf(results: readonly GateResult[]) {
  const count = (...statuses: GateStatus[]) => results.filter(({ status }) => statuses.includes(status)).length;
  const [passed, failed, warned] = [count('passed'), count('failed', 'error'), count('warned')];
  return { evaluations: passed + failed + warned, passed, failed, warned };
}

/** The gate results of a pipeline, the newest first. */
export async function readEvaluations(
  table: Table,
  of: { workspaceId: string; pipelineId: string },
  limit: number,
): Promise<GateEvaluation[]> {
  const below = workspaceKey(of.workspaceId, `PIPELINE#${of.pipelineId}`, evaluationPrefix);
  const items = itemsBelow(table, below, { newestFirst: true, atMost: limit });
  return Array.fromAsync(items, (item) => toRecord<GateEvaluation>(item));
}

/** The summed gate results since a day, by pipeline id. */
export async function readGateHealth(
  table: Table,
  workspaceId: string,
  since: Date,
): Promise<Map<string, Omit<GateHealth, 'name'>>> {
  const from = workspaceKey(workspaceId, healthArea, since.toISOString().slice(0, 10));
  const healths = new Map<string, Omit<GateHealth, 'name'>>();
  const days = queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': from.pk, ':from': from.sk },
    ConsistentRead: true,
  });
  for await (const item of days) addDay(healths, toRecord<DayOfGates>(item));
  return healths;
}

interface DayOfGates {
  pipelineId: string;
  evaluations: number;
  passed: number;
  failed: number;
  warned: number;
  lastFailedAt?: string;
}

/** Adds a day; days must come in order. */
function addDay(healths: Map<string, Omit<GateHealth, 'name'>>, day: DayOfGates): void {
  const { pipelineId } = day;
  const before = healths.get(pipelineId);
  const evaluations = (before?.evaluations ?? 0) + day.evaluations;
  const passed = (before?.passed ?? 0) + day.passed;
  healths.set(pipelineId, {
    pipelineId,
    evaluations,
    passed,
    failed: (before?.failed ?? 0) + day.failed,
    warned: (before?.warned ?? 0) + day.warned,
    passRate: passed / evaluations,
    lastFailedAt: day.lastFailedAt ?? before?.lastFailedAt ?? null,
  });
}

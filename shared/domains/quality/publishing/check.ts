import type { Table } from '../../../platform/storage/table.ts';
import { currentScores } from '../scores/scores.ts';
import { type CheckedTable, nameOfTable, tableKey } from '../table.ts';
import { readPublishGate } from './gate.ts';

/** Finds what speaks against publishing something that reads the table; undefined if nothing does. */
export type QualityCheck = (table: CheckedTable) => string | undefined;

/**
 * Reads the scores of a workspace once, for all tables of what is published. Tables without a score pass. Undefined if
 * all tables pass.
 */
export async function publishCheck(
  deps: { table: Table; now(): Date },
  workspaceId: string,
): Promise<QualityCheck | undefined> {
  const { minScore } = await readPublishGate(deps.table, workspaceId);
  if (minScore === 0) return undefined;
  const scores = await currentScores(deps, workspaceId);
  const low = new Map(
    scores.flatMap(({ tableKey: key, score }) => (score !== null && score < minScore ? [[key, score]] : [])),
  );
  if (low.size === 0) return undefined;
  return (table) => {
    const score = low.get(tableKey(table));
    if (score === undefined) return undefined;
    const shown = Math.floor(score * 10) / 10;
    return `The data-quality score of ${nameOfTable(table)} is ${shown}, below ${minScore}.`;
  };
}

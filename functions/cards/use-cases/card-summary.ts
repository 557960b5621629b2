import { createHash } from 'node:crypto';
import { queryOf } from '../../../shared/domains/cards/index.ts';
import { type ChartDeps, type ChartRows, isProtectedSource } from '../../../shared/domains/charts/index.ts';
import type { CardRecord } from '../../../shared/domains/dashboards/index.ts';
import type { CardSummary } from '../schemas.ts';

/** The summary as readers of these rows see it; none if anyone may be kept from them since it was written. */
export async function summaryFor(
  deps: ChartDeps,
  { workspaceId, card, rows }: { workspaceId: string; card: CardRecord; rows: ChartRows },
): Promise<CardSummary | null> {
  if (!card.aiSummary || (await isProtectedSource(deps, workspaceId, queryOf(card).source))) return null;
  const { dataHash, ...summary } = card.aiSummary;
  return { ...summary, isStale: dataHash !== hashOf(rows) };
}

/** By which a summary knows the rows that it is about. */
export const hashOf = ({ columns, rowsJson }: ChartRows): string =>
  createHash('sha256').update(JSON.stringify(columns)).update(rowsJson).digest('hex');

import { createHash } from 'node:crypto';
import { type ChartDeps, type ChartRows, type ChartSpec, isProtectedSource, readsOf } from '../charts/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import type { CardSummary } from './card-data.ts';
import { queryOf } from './card-query.ts';

/** The summary for readers of these rows; null if the rows are protected now. */
export async function summaryFor(
  deps: ChartDeps,
  { workspaceId, card, rows }: { workspaceId: string; card: CardRecord; rows: ChartRows },
): Promise<CardSummary | null> {
  if (!card.aiSummary) return null;
  const { dataHash, subject, ...summary } = card.aiSummary;
  const query = queryOf(card);
  if (subject !== (await subjectOf(deps, workspaceId, query))) return null;
  if (await isProtectedSource(deps, workspaceId, query.source)) return null;
  return { ...summary, isStale: dataHash !== hashOf(rows) };
}

/** What a summary is about. One of another query may be about rows that are protected, and is not shown any more. */
export const subjectOf = async (
  deps: Parameters<typeof readsOf>[0],
  workspaceId: string,
  query: ChartSpec['query'],
): Promise<string> => digest(JSON.stringify([query, ...((await readsOf(deps, workspaceId, query.source)) ?? [null])]));

/** Identifies the rows that a summary describes. */
export const hashOf = ({ columns, rowsJson }: ChartRows): string => digest(JSON.stringify(columns) + rowsJson);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

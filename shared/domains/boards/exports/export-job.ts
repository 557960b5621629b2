import type { Principal } from '../../../platform/auth/principal.ts';
import { hasRows, queryOf, seenParts } from '../cards/index.ts';
import { type ChartQuery, classOfSources } from '../charts/index.ts';
import { seenDashboard } from '../dashboards/index.ts';
import type { ExportCommand, ExportDeps, ExportedFile, ExportOptions } from './export-command.ts';
import { exportedPages } from './exported-cards.ts';

/** The objects of an export that runs as a job; they expire after two days. */
export function exportJobKeys(workspaceId: string, jobId: string) {
  const folder = `results/${workspaceId}/exports/${jobId}`;
  return {
    /** An `ExportJobCommand`. */
    command: `${folder}/command.json`,
    /** An `ExportJobReport`. */
    report: `${folder}/report.json`,
    /** A file that is small; larger ones have a key of their own. */
    file: (attempt: number) => `${folder}/file-${attempt}`,
  };
}

/** Who started the job, which reads with the rights that the caller has then. */
export type JobCaller = Pick<Principal, 'kind' | 'userId' | 'companyId' | 'credentialId' | 'membershipId'>;

/** The request, which may be too large for the item of the job. */
export interface ExportJobCommand extends Pick<ExportCommand, 'dashboardId' | 'format' | 'filters'> {
  caller: JobCaller;
  pageId?: string | undefined;
  cardIds?: readonly string[] | undefined;
  timezone?: string | undefined;
  theme?: ExportOptions['theme'];
}

/** The file of a job, and what has been read for it. */
export interface ExportJobReport extends Pick<ExportedFile, 'fileName' | 'contentType'> {
  key: string;
  bytes: number;
  sources: ChartQuery['source'][];
  /** The rights with which it was read. */
  rights: string;
}

/** What the job shows of its file. */
export interface ExportJobResult extends Record<string, unknown> {
  bytes: number;
  truncated: boolean;
  failedCards: number;
  warnings: readonly string[];
}

/** The sources of the cards that an export contains. Throws what `exportDashboard` throws for them. */
export async function exportedSources(
  deps: ExportDeps,
  principal: Principal,
  { dashboardId, ...wanted }: Pick<ExportCommand, 'dashboardId' | 'pageId' | 'cardIds'>,
): Promise<ChartQuery['source'][]> {
  const parts = await seenParts(deps, { principal, id: dashboardId });
  const cards = exportedPages(parts, wanted).flatMap((page) => page.cards.filter(hasRows));
  const sources = new Map(cards.map((card) => [JSON.stringify(queryOf(card).source), queryOf(card).source]));
  return [...sources.values()];
}

/**
 * What the caller sees of a dashboard and of some sources, as a text: equal for equal rights. Throws
 * `DASHBOARD_NOT_FOUND`.
 */
export async function exportRights(
  deps: ExportDeps,
  principal: Principal,
  { dashboardId: id, sources }: { dashboardId: string; sources: readonly ChartQuery['source'][] },
): Promise<string> {
  const { sight } = await seenDashboard(deps, { principal, id });
  // Each source by itself: one that is gone says nothing about the others.
  const classes = await Promise.all(sources.map((source) => classOfSources(deps, principal, [source])));
  return JSON.stringify([principal.role, sight.seesDraft, classes]);
}

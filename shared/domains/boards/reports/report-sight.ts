import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ReceivedGrant } from '../../tenancy/grants/index.ts';
import { type Sight, sightOf } from '../dashboards/index.ts';
import type { Report, ReportRecord } from './records.ts';
import type { ReportRepository } from './repository.ts';
import { DATA_BLOCK_TYPES, type DataBlock, type ReportBlock } from './schemas.ts';

export interface ReportReaderDeps {
  reports: Pick<ReportRepository, 'read'>;
  /** The grant of one report. */
  grantOf(principal: Principal, reportId: string): Promise<ReceivedGrant | undefined>;
}

/** How the caller sees the report; undefined if it does not exist for them. */
export const reportSight = (
  principal: Principal,
  record: ReportRecord,
  grant: ReceivedGrant | undefined,
): Sight | undefined => sightOf(principal, record, grant, 'reports:write');

/** The report with its layout, for callers who see it. Throws `REPORT_NOT_FOUND`. */
export const seenReport = async (
  deps: ReportReaderDeps,
  named: { principal: Principal; id: string },
): Promise<Report> => (await reportInSight(deps, named)).report;

/** The same, with how the caller sees it. */
export async function reportInSight(
  { reports, grantOf }: ReportReaderDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<{ report: Report; sight: Sight }> {
  const [report, grant] = await Promise.all([reports.read(principal.workspaceId, id), grantOf(principal, id)]);
  const sight = report?.deletedAt === null ? reportSight(principal, report, grant) : undefined;
  if (!report || !sight) throw new AppError('REPORT_NOT_FOUND');
  return { report, sight };
}

/** The block with this id. Throws `REPORT_BLOCK_NOT_FOUND`. */
export function blockOf({ layout }: Pick<Report, 'layout'>, blockId: string): ReportBlock {
  const block = layout.blocks.find(({ id }) => id === blockId);
  if (!block) throw new AppError('REPORT_BLOCK_NOT_FOUND');
  return block;
}

export const isDataBlock = (block: ReportBlock): block is DataBlock =>
  (DATA_BLOCK_TYPES as readonly string[]).includes(block.type);

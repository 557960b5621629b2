import type { Use } from '../../../platform/storage/uses.ts';
import type { Report } from './records.ts';

/** What the blocks show. A deleted report uses nothing until it is restored. */
export const usesOfReport = ({ layout, deletedAt }: Pick<Report, 'layout' | 'deletedAt'>): Use[] =>
  deletedAt === null
    ? layout.blocks.flatMap((block) => ('chartSpec' in block ? block.chartSpec.query.source : []))
    : [];

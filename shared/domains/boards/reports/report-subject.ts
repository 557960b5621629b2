import { grantReader } from '../../tenancy/grants/index.ts';
import type { SubjectKind, SubjectPart } from '../../tenancy/subjects/index.ts';
import { isDataBlock, reportSight } from './report-sight.ts';
import { reportRepository } from './repository.ts';
import type { ReportBlock } from './schemas.ts';

/** Reports, whose parts are their blocks. Members have no page for them. */
export const REPORT_SUBJECT: SubjectKind = {
  type: 'report',
  read: { permission: 'reports:read' },
  partTypes: ['block'],
  present: (table, workspaceId, id) => reportRepository(table).presentItem(workspaceId, id),

  async find(table, reader, id) {
    const [record, grant] = await Promise.all([
      reportRepository(table).get(reader.workspaceId, id),
      grantReader(table, 'report')(reader, id),
    ]);
    const sight = record?.deletedAt === null ? reportSight({ ...reader, scope: null }, record, grant) : undefined;
    if (!record || !sight) return undefined;
    const { name, ownerId } = record;
    return { type: 'report', id, name, path: null, mayEdit: sight.permission === 'editor', ownerId };
  },

  async parts(table, { workspaceId }, id) {
    const report = await reportRepository(table).read(workspaceId, id);
    return report?.layout.blocks.map(partOf) ?? [];
  },
};

function partOf(block: ReportBlock): SubjectPart {
  const name = 'text' in block ? block.text.slice(0, 200) : 'title' in block ? (block.title ?? '') : '';
  const { id } = block;
  return { type: 'block', id, name, ...(isDataBlock(block) && { source: block.chartSpec.query.source }) };
}

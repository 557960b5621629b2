import type { Static } from 'typebox';
import * as Type from 'typebox';
import { readingProperties } from '../../../shared/domains/boards/cards/index.ts';
import { MAX_CHART_ROWS } from '../../../shared/domains/boards/charts/index.ts';
import { PartId } from '../../../shared/domains/boards/dashboards/index.ts';
import { readingReport, reportProperties } from '../../../shared/domains/boards/reports/index.ts';
import { accessSchemas, shownPermission } from '../../../shared/domains/tenancy/grants/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  Id,
  idParams,
  Nullable,
  Page,
  Revision,
  searchedListQuery,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const ReportParams = idParams('report');
export const BlockParams = Type.Object({
  ...ReportParams.properties,
  blockId: Type.Unsafe<string>({ ...PartId, description: 'The id of the block.' }),
});

const { layout, parameters, ...shown } = reportProperties;

const summary = {
  id: Id,
  workspaceId: Id,
  ...shown,
  ownerId: Id,
  ...shownPermission,
  blockCount: Type.Integer({ minimum: 0, description: 'The number of blocks.' }),
  deletedAt: Nullable(Timestamp),
  deletedBy: Nullable(Id),
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
  ...shownDefinition,
};

export const ReportSummary = Type.Object(summary, {
  $id: 'ReportSummary',
  description: 'A report in a list: without its layout and parameters.',
});
export type ReportSummary = Static<typeof ReportSummary>;
export const ReportSummaryPage = Page(ReportSummary);

export const Report = Type.Object(
  { ...summary, layout, parameters },
  { $id: 'Report', description: 'A document of blocks in order, such as headings, texts, charts and tables.' },
);
export type Report = Static<typeof Report>;

export const ReportListQuery = Type.Object({
  ...searchedListQuery('reports').properties,
  includeDeleted: Type.Boolean({
    default: false,
    description: 'Whether deleted reports are included, for callers who may restore them.',
  }),
});
export type ReportListQuery = Static<typeof ReportListQuery>;

export const CreateReport = Type.Object(
  {
    name: shown.name,
    description: Type.Unsafe<string>({ ...shown.description, default: '' }),
    isPublished: Type.Unsafe<boolean>({ ...shown.isPublished, default: false }),
    layout: Type.Optional(layout),
    parameters: Type.Optional(parameters),
  },
  { $id: 'CreateReport', description: 'A report; without a layout it has no blocks.' },
);
export type CreateReport = Static<typeof CreateReport>;

export const UpdateReport = Type.Object(
  {
    name: Type.Optional(shown.name),
    description: Type.Optional(shown.description),
    isPublished: Type.Optional(shown.isPublished),
    layout: Type.Optional(layout),
    parameters: Type.Optional(parameters),
  },
  {
    $id: 'UpdateReport',
    description: 'Fields to change; omitted fields keep their values. A layout is replaced as a whole.',
  },
);
export type UpdateReport = Static<typeof UpdateReport>;

export const RestoreReport = Type.Object(
  {
    name: Type.Optional(
      Type.Unsafe<string>({ ...shown.name, description: 'Another name, if its own has been taken since.' }),
    ),
  },
  { $id: 'RestoreReport', description: 'How to restore a deleted report.' },
);
export type RestoreReport = Static<typeof RestoreReport>;

export const ReadBlock = Type.Object(
  {
    ...readingReport,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CHART_ROWS,
        description: 'The maximum number of rows, if the chart does not have a lower one.',
      }),
    ),
    timezone: readingProperties.timezone,
    timeoutMs: readingProperties.timeoutMs,
    maxAgeSeconds: readingProperties.maxAgeSeconds,
  },
  { $id: 'ReadReportBlock', description: 'How to read the rows of a block.' },
);
export type ReadBlock = Static<typeof ReadBlock>;

export const { Access, AccessPage, SetAccess, AccessParams } = accessSchemas('report', 'Report', 'report');
export type Access = Static<typeof Access>;

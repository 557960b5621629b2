import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  bodyProperties,
  Counts,
  DashboardCard,
  DashboardFilter,
  DashboardPage,
  dashboardProperties,
  type PART_KINDS,
  STAGES,
} from '../../../shared/domains/boards/dashboards/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  Cursor,
  CursorPage,
  Id,
  idParams,
  LimitQuery,
  NameFilter,
  Nullable,
  Page,
  Revision,
  StringEnum,
  searchedListQuery,
  searchFilter,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const DashboardParams = idParams('dashboard');

export const ViewerMeta = Type.Object(
  {
    permission: StringEnum(['viewer', 'editor'], { description: 'What the caller may do with the dashboard.' }),
    via: StringEnum(['owner', 'role', 'grant', 'group'], { description: 'What lets the caller see it.' }),
    isShared: Type.Boolean({ description: 'Whether the caller has received a grant, directly or through a group.' }),
    canExport: Type.Boolean({ description: 'Whether the caller may export dashboards to files.' }),
    canShare: Type.Boolean({ description: 'Whether the caller may grant access to others.' }),
  },
  { $id: 'DashboardViewerMeta', description: 'How the caller sees a dashboard; with `include=viewerMeta`.' },
);

const summary = {
  id: Id,
  workspaceId: Id,
  ...dashboardProperties,
  ownerId: Id,
  stage: StringEnum(STAGES, { description: 'Publishing sets `production`, withdrawing `draft`.' }),
  isPublished: Type.Boolean({ description: 'Whether viewers see the published version.' }),
  publishedVersion: Nullable(Type.Integer({ minimum: 1, description: 'The newest version.' })),
  publishedAt: Nullable(Timestamp),
  publishedBy: Nullable(Id),
  hasUnpublishedChanges: Type.Boolean({
    description: 'Whether the dashboard differs from its newest version, or has none; false for viewers.',
  }),
  counts: Counts,
  deletedAt: Nullable(Timestamp),
  deletedBy: Nullable(Id),
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
  ...shownDefinition,
};

export const DashboardSummary = Type.Object(
  { ...summary, viewerMeta: Type.Optional(ViewerMeta) },
  { $id: 'DashboardSummary', description: 'A dashboard in a list: without texts and parts.' },
);
export type DashboardSummary = Static<typeof DashboardSummary>;

export const Dashboard = Type.Object(
  { ...summary, ...bodyProperties },
  { $id: 'Dashboard', description: 'A dashboard without its parts.' },
);
export type Dashboard = Static<typeof Dashboard>;

export const DashboardDetails = Type.Object(
  {
    ...summary,
    ...bodyProperties,
    pages: Type.Array(DashboardPage),
    cards: Type.Array(DashboardCard),
    filters: Type.Array(DashboardFilter),
    viewerMeta: Type.Optional(ViewerMeta),
  } satisfies Record<(typeof PART_KINDS)[number], unknown> & { viewerMeta: unknown },
  { $id: 'DashboardDetails', description: 'A dashboard with its pages, cards and filters, each in their order.' },
);
export type DashboardDetails = Static<typeof DashboardDetails>;

const include = Type.Optional(
  StringEnum(['viewerMeta'], { description: 'Adds what the caller may do with the dashboard.' }),
);
export const DashboardQuery = Type.Object({ include });
export type DashboardQuery = Static<typeof DashboardQuery>;

const filters = {
  includeDeleted: Type.Boolean({
    default: false,
    description: 'Whether deleted dashboards are included, for those who may restore them.',
  }),
  stage: Type.Optional(StringEnum(STAGES, { description: 'Only dashboards in this stage.' })),
  publishedOnly: Type.Boolean({ default: false, description: 'Only dashboards that are published.' }),
  name: NameFilter,
  search: searchFilter('dashboards'),
  include: Type.Optional(
    StringEnum(['viewerMeta'], { description: 'Adds what the caller may do with each dashboard.' }),
  ),
};

export const DashboardListQuery = Type.Object({
  ...searchedListQuery('dashboards', { more: ['created'], also: ', and `created` is `-createdAt`' }).properties,
  ...filters,
});
export type DashboardListQuery = Static<typeof DashboardListQuery>;
export const DashboardSummaryPage = Page(DashboardSummary);

export const DashboardCursorQuery = Type.Object({
  ...LimitQuery.properties,
  cursor: Type.Optional(Cursor),
  scope: StringEnum(['all', 'shared'], {
    default: 'all',
    description: '`shared`: only dashboards for which the caller has received a grant, directly or through a group.',
  }),
  ...filters,
});
export type DashboardCursorQuery = Static<typeof DashboardCursorQuery>;
export const DashboardCursorPage = CursorPage(DashboardSummary, {
  $id: 'DashboardCursorPage',
  description: 'A page of dashboards, newest first; `total` counts all that the caller sees.',
});

const optionalText = (schema: (typeof bodyProperties)[keyof typeof bodyProperties]) => Type.Optional(schema);

export const CreateDashboard = Type.Object(
  {
    name: dashboardProperties.name,
    description: Type.Unsafe<string>({ ...dashboardProperties.description, default: '' }),
    layout: optionalText(bodyProperties.layout),
    theme: optionalText(bodyProperties.theme),
    filterState: optionalText(bodyProperties.filterState),
    timezone: optionalText(bodyProperties.timezone),
  },
  { $id: 'CreateDashboard', description: 'A dashboard without parts, which begins as a draft.' },
);
export type CreateDashboard = Static<typeof CreateDashboard>;

export const UpdateDashboard = Type.Object(
  {
    name: Type.Optional(dashboardProperties.name),
    description: Type.Optional(dashboardProperties.description),
    layout: optionalText(bodyProperties.layout),
    theme: optionalText(bodyProperties.theme),
    filterState: optionalText(bodyProperties.filterState),
    timezone: optionalText(bodyProperties.timezone),
    isPublished: Type.Optional(
      Type.Boolean({
        description: '`true` publishes the dashboard like `POST …/publish` if it is not; `false` withdraws it.',
      }),
    ),
    stage: Type.Optional(StringEnum(['draft', 'review'], { description: 'How far the work on the draft is.' })),
  },
  { $id: 'UpdateDashboard', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateDashboard = Static<typeof UpdateDashboard>;

export const BulkDelete = Type.Object(
  { ids: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }) },
  { $id: 'DeleteDashboards', description: 'The dashboards to delete.' },
);
export const BulkDeleted = Type.Object(
  {
    deleted: Type.Array(Id),
    notFound: Type.Array(Id, { description: 'The dashboards that do not exist, or that the caller cannot see.' }),
    forbidden: Type.Array(Id, { description: 'The dashboards that the caller can see but may not delete.' }),
  },
  { $id: 'DeletedDashboards', description: 'The result for each dashboard.' },
);
export type BulkDeleted = Static<typeof BulkDeleted>;

export const RestoreDashboard = Type.Object(
  {
    name: Type.Optional(
      Type.Unsafe<string>({
        ...dashboardProperties.name,
        description: 'Another name, if its own has been taken since.',
      }),
    ),
  },
  { $id: 'RestoreDashboard', description: 'How to restore a deleted dashboard.' },
);
export type RestoreDashboard = Static<typeof RestoreDashboard>;

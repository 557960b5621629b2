import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  bodyProperties,
  Counts,
  DashboardCard,
  DashboardFilter,
  DashboardPage,
  dashboardProperties,
  GATE_CODES,
  PartId,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { Id, idParams, Nullable, Page, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const VersionParams = Type.Object({
  ...idParams('dashboard').properties,
  version: Type.Integer({ minimum: 1, maximum: 99_999_999, description: 'The number of the version.' }),
});

export const GateReason = Type.Object(
  { code: StringEnum(GATE_CODES), message: Type.String(), cardId: PartId, cardTitle: Type.String() },
  { $id: 'DashboardGateReason', description: 'A card that cannot show anything, and why.' },
);

const Gate = Type.Object(
  {
    passed: Type.Boolean({ description: 'Whether nothing prevents the publication.' }),
    overridden: Type.Boolean(),
    reasons: Type.Array(GateReason, { description: 'At most 100.' }),
  },
  { $id: 'DashboardGate', description: 'The checks of a publication.' },
);

const version = {
  version: Type.Integer({ minimum: 1 }),
  name: dashboardProperties.name,
  publishedBy: Id,
  publishedAt: Timestamp,
  changeNote: Nullable(Type.String()),
  gate: Gate,
  overrideReason: Nullable(Type.String()),
  counts: Counts,
};

export const DashboardVersion = Type.Object(version, {
  $id: 'DashboardVersion',
  description: 'A published state of a dashboard.',
});
export type DashboardVersion = Static<typeof DashboardVersion>;

export const PublishedDashboard = Type.Object(
  {
    ...version,
    warnings: Type.Array(
      Type.Object(
        { code: StringEnum(['DEPRECATED_SOURCE']), message: Type.String(), cardId: PartId, cardTitle: Type.String() },
        { $id: 'DashboardWarning', description: 'What to check about a card. It does not prevent the publication.' },
      ),
      {
        description:
          'At most 100. `DEPRECATED_SOURCE`: the card shows something that should no longer be used, according to the catalog.',
      },
    ),
  },
  { $id: 'PublishedDashboard', description: 'The version that was published, with what to check.' },
);
export type PublishedDashboard = Static<typeof PublishedDashboard>;
export const DashboardVersionPage = Page(DashboardVersion);

export const DashboardVersionDetails = Type.Object(
  {
    ...version,
    description: dashboardProperties.description,
    ...bodyProperties,
    pages: Type.Array(DashboardPage),
    cards: Type.Array(DashboardCard),
    filters: Type.Array(DashboardFilter),
  },
  { $id: 'DashboardVersionDetails', description: 'A version with everything that it preserves.' },
);
export type DashboardVersionDetails = Static<typeof DashboardVersionDetails>;

const note = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }));

export const PublishDashboard = Type.Object(
  {
    changeNote: note('What has changed, for the history.'),
    override: Type.Boolean({ default: false, description: 'Whether to publish despite issues. For admins only.' }),
    overrideReason: note('The reason for the override; required with `override`, and kept in the version.'),
  },
  { $id: 'PublishDashboard', description: 'How to publish.' },
);
export type PublishDashboard = Static<typeof PublishDashboard>;

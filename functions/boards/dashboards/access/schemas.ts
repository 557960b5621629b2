import type { Static } from 'typebox';
import * as Type from 'typebox';
import { accessSchemas } from '../../../../shared/domains/tenancy/grants/index.ts';
import { FormerName } from '../../../../shared/platform/http/former-names.ts';
import {
  CursorPage,
  Id,
  idParams,
  Name,
  Nullable,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

const permission = StringEnum(['viewer', 'editor'], {
  description: '`viewer` sees the dashboard, `editor` also changes it.',
});

export const DashboardAccess = Type.Object(
  {
    id: Type.Unsafe<string>({
      ...Id,
      description: 'The id of the user or group; identifies the grant when it is revoked.',
    }),
    granteeType: StringEnum(['user', 'group']),
    userId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The member; null for a group.' })),
    groupId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The group; null for a member.' })),
    name: Name,
    email: Nullable(Type.String({ description: 'The address of a member; null for a group.' })),
    permission,
    grantedBy: Id,
    grantedAt: Timestamp,
  },
  { $id: 'DashboardAccess', description: 'What a member or a group may do with a dashboard, whatever their role.' },
);
export type DashboardAccess = Static<typeof DashboardAccess>;

export const DashboardAccessPage = CursorPage(DashboardAccess, {
  $id: 'DashboardAccessPage',
  description: 'A page of members and groups with access; `total` counts all of them.',
});

export const GrantDashboardAccess = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 320,
      description: 'The email address of a member of the workspace; case does not matter.',
    }),
    permission,
  },
  { $id: 'GrantDashboardAccess', description: 'A grant to a member.' },
);
export type GrantDashboardAccess = Static<typeof GrantDashboardAccess>;

export const SetDashboardAccess = Type.Object(
  { permission },
  { $id: 'SetDashboardAccess', description: 'The permission to grant.' },
);

export const { AccessParams: GranteeParams } = accessSchemas('dashboard', 'DashboardGrant', 'dashboard');

export const AccessIdParams = Type.Object({
  ...idParams('dashboard').properties,
  accessId: Type.String({ format: 'uuid', description: 'The `id` of the grant.' }),
});

const searched = Type.String({
  minLength: 2,
  maxLength: 200,
  description: 'A part of the name or the email address; case does not matter.',
});

export const CandidatesQuery = Type.Object({ search: searched, q: FormerName('search', searched) });

export const AccessCandidate = Type.Object(
  { userId: Id, name: Name, email: Type.String(), hasAccess: Type.Boolean() },
  { $id: 'DashboardAccessCandidate', description: 'A member to whom access can be granted.' },
);
export type AccessCandidate = Static<typeof AccessCandidate>;

export const AccessCandidates = Type.Object(
  { items: Type.Array(AccessCandidate) },
  { $id: 'DashboardAccessCandidates', description: 'At most 20 members, by name.' },
);

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { accessSchemas } from '../../../../shared/domains/tenancy/grants/index.ts';
import { FormerName } from '../../../../shared/platform/http/former-names.ts';
import { CursorPage, Id, Name, Nullable, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { StoryParams, StoryPermission } from '../schemas.ts';

const email = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'The email address of a member of the workspace; case does not matter.',
});

export const StoryAccess = Type.Object(
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
    permission: StoryPermission,
    grantedBy: Id,
    grantedAt: Timestamp,
  },
  {
    $id: 'StoryAccess',
    description: 'A grant: what a member or a group may do with a story, in addition to what a role allows.',
  },
);
export type StoryAccess = Static<typeof StoryAccess>;

export const StoryAccessPage = CursorPage(StoryAccess, {
  $id: 'StoryAccessPage',
  description: 'A page of members and groups with access; `total` counts all of them.',
});

export const GrantStoryAccess = Type.Object(
  { email, permission: StoryPermission },
  { $id: 'GrantStoryAccess', description: 'A grant to a member.' },
);
export type GrantStoryAccess = Static<typeof GrantStoryAccess>;

export const SetStoryAccess = Type.Object(
  { permission: StoryPermission },
  { $id: 'SetStoryAccess', description: 'The permission to grant.' },
);

export const { AccessParams: StoryGranteeParams } = accessSchemas('story', 'StoryGrant', 'story');

export const StoryAccessIdParams = Type.Object({
  ...StoryParams.properties,
  accessId: Type.String({ format: 'uuid', description: 'The `id` of the grant.' }),
});

const searched = Type.String({
  minLength: 2,
  maxLength: 200,
  description: 'A part of the name or the email address; case does not matter.',
});

export const StoryCandidatesQuery = Type.Object({ search: searched, q: FormerName('search', searched) });

export const StoryCandidates = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          userId: Id,
          name: Name,
          email: Type.String(),
          hasAccess: Type.Boolean({ description: 'Whether the member can see the story now.' }),
        },
        { $id: 'StoryAccessCandidate', description: 'A member to share a story with or to mention.' },
      ),
    ),
  },
  { $id: 'StoryAccessCandidates', description: 'At most 20 members, sorted by name.' },
);
export type StoryCandidates = Static<typeof StoryCandidates>;

export const AccessCheckQuery = Type.Object({
  email,
  permission: Type.Optional(
    Type.Unsafe<Static<typeof StoryPermission>>({
      ...StoryPermission,
      description: 'A permission to preview for the member; omit it to preview with the current access of the member.',
    }),
  ),
});

export const StoryAccessCheck = Type.Object(
  {
    userId: Id,
    name: Name,
    hasAccess: Type.Boolean({ description: 'Whether the member can see the story now.' }),
    permission: Nullable(StoryPermission),
    view: Nullable(StringEnum(['draft', 'published'], { description: 'What the member would read.' })),
    sections: Type.Array(Type.Object({ sectionId: Id, isHidden: Type.Boolean() }), {
      description: 'The sections that the member would read, in order.',
    }),
    blocks: Type.Array(
      Type.Object({
        sectionId: Id,
        blockId: Type.String(),
        state: StringEnum(['visible', 'restricted', 'hidden'], {
          description: 'Whether the member would see all rows, only some rows or columns, or no rows.',
        }),
        reason: Nullable(StringEnum(['ROW_RIGHTS', 'NO_DASHBOARD_ACCESS', 'SOURCE_NOT_FOUND'])),
      }),
      { description: 'The live blocks of these sections.' },
    ),
  },
  { $id: 'StoryAccessCheck', description: 'What a member would see of a story.' },
);
export type StoryAccessCheck = Static<typeof StoryAccessCheck>;

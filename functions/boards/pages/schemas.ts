import type { Static } from 'typebox';
import * as Type from 'typebox';
import { PartId } from '../../../shared/domains/boards/dashboards/index.ts';
import { PROGRAM_REQUEST, User } from '../../../shared/domains/identity/sessions/index.ts';
import { LinkPassword, LinkToken } from '../../../shared/domains/sharing/shares/index.ts';
import { ASSET_TYPES } from '../../../shared/platform/http/asset-types.ts';
import { Id, idParams, StringEnum } from '../../../shared/platform/http/schemas.ts';

export const DashboardParams = idParams('dashboard');

export const DashboardQuery = Type.Object({
  page: Type.Optional(Type.Unsafe<string>({ ...PartId, description: 'The page to show; by default, the first page.' })),
  filters: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'The filter values that the reader has chosen, as a JSON object by filter id.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'The IANA name of the time zone that the reader has chosen.' }),
  ),
});

const exploring = (description: string) => Type.Optional(Type.String({ maxLength: 8192, description }));

export const MemberDashboardQuery = Type.Object({
  ...DashboardQuery.properties,
  selection: exploring('The row that the reader has selected, as JSON: `cardId` and `values`.'),
  drill: exploring('The steps into the details of cards, as a JSON object by card id.'),
  bookmark: Type.Optional(
    Type.String({ maxLength: 64, description: 'The id of the bookmark that was opened; `none` for no bookmark.' }),
  ),
});

export const StoryParams = idParams('story');

/** What the program puts into the address that it opens. */
export const ConnectQuery = Type.Object(PROGRAM_REQUEST);
export type ConnectQuery = Static<typeof ConnectQuery>;

export const StoryPageQuery = Type.Object({
  view: Type.Optional(
    StringEnum(['draft', 'published'], {
      description:
        'The state to show; by default, the published version if there is one. `draft` is only for people who may see the draft; others get the published version.',
    }),
  ),
});

export const LinkParams = Type.Object({ token: LinkToken });

export const LinkQuery = Type.Object({
  ...DashboardQuery.properties,
  parameters: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'The values of parameters of a report that the reader has chosen, as a JSON object by name.',
    }),
  ),
});

export const EmbedQuery = Type.Object({
  ...LinkQuery.properties,
  theme: Type.Optional(
    StringEnum(['light', 'dark'], {
      description: 'The color scheme of the view; by default, that of the system of the reader.',
    }),
  ),
});

export const UnlockPage = Type.Object(
  { password: LinkPassword, page: DashboardQuery.properties.page },
  { $id: 'UnlockSharePage', description: 'The password of the link, and the page to show.' },
);

export const UnlockedPage = Type.Object(
  {
    title: Type.String(),
    rules: Type.String({ description: 'The style sheet of this page alone.' }),
    bodyClass: Type.String(),
    body: Type.String({ description: 'The content of the page as HTML.' }),
    config: Type.Unknown({ description: 'What the script of the page needs.' }),
  },
  { $id: 'UnlockedSharePage', description: 'The page that the password opens, for the script that asks for it.' },
);

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

export const SignInQuery = Type.Object({
  next: text(9000, 'The path of the page to open after the sign-in, of a dashboard or a story.'),
  code: text(200, 'The authorization code of the single sign-on.'),
  state: text(500, 'The `state` that identifies the single sign-on.'),
  error: text(200, 'The error code of a failed single sign-on.'),
  error_description: text(2000, 'The description of the error.'),
});

export const AssetParams = Type.Object({
  file: Type.String({
    maxLength: 100,
    pattern: `^[a-z-]+\\.[0-9a-f]{12}\\.(${Object.keys(ASSET_TYPES).join('|')})$`,
    description: 'The name of a file that a page links to.',
  }),
});

export const OpenSession = Type.Object(
  {
    refreshToken: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The refresh token of a new sign-in in this browser; it is exchanged for another one. By default, the token in the cookie.',
      }),
    ),
    workspaceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The workspace to switch to; omit it to stay in the current one.' }),
    ),
  },
  { $id: 'OpenPageSession', description: 'The sign-in to store in the cookie, or to renew.' },
);
export type OpenSession = Static<typeof OpenSession>;

export const PageSession = Type.Object(
  {
    accessToken: Type.String({ description: 'Send it as `Authorization: Bearer <token>`.' }),
    expiresInSeconds: Type.Integer({ description: 'How long the access token is valid.' }),
    workspaceId: Id,
    user: User,
  },
  {
    $id: 'PageSession',
    description: 'The sign-in of a browser. Its refresh token is in a cookie that scripts cannot read.',
  },
);

export const PageSessionEnd = Type.Object(
  { signedOut: Type.Boolean({ description: 'Whether the browser was signed in.' }) },
  { $id: 'PageSessionEnd', description: 'The result of signing a browser out.' },
);

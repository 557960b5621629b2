import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ContentType, EmbedDomain, LockedFilter } from '../../../shared/domains/sharing/shares/index.ts';
import { Attributes } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { Id, idParams, ListQuery, Page, Timestamp } from '../../../shared/platform/http/schemas.ts';

export const CreateEmbedToken = Type.Object(
  {
    contentType: ContentType,
    contentId: Type.Unsafe<string>({ ...Id, description: 'The id of a published dashboard, report or story.' }),
    attributes: Type.Unsafe<Attributes>({
      ...Attributes,
      default: {},
      description: 'What row-level security sees as `user.attr(…)` of the reader.',
    }),
    lockedFilters: Type.Array(LockedFilter, {
      maxItems: 20,
      default: [],
      description: 'Conditions that apply to every card, whatever the reader filters by.',
    }),
    expiresIn: Type.Integer({ minimum: 60, maximum: 3600, default: 600, description: 'In seconds.' }),
    allowExport: Type.Boolean({
      default: false,
      description: 'Whether the reader may download the rows of cards.',
    }),
    allowAi: Type.Boolean({ default: false, description: 'Whether the reader may ask about the rows.' }),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The id of the reader on your site, such as a user id. The questions of all tokens with the same subject count towards one hourly limit. Without a subject, each token has a limit of its own.',
      }),
    ),
  },
  { $id: 'CreateEmbedToken', description: 'What a reader of an embedded dashboard may see.' },
);
export type CreateEmbedToken = Static<typeof CreateEmbedToken>;

export const EmbedToken = Type.Object(
  {
    token: Type.String({ description: 'For the operations under `/api/shares/{token}`; returned only once.' }),
    jti: Type.Unsafe<string>({ ...Id, description: 'The id of the token, to revoke it with.' }),
    url: Type.String({ format: 'uri', description: 'The page to show in a frame.' }),
    expiresAt: Timestamp,
  },
  { $id: 'EmbedToken', description: 'Opens one dashboard for a reader of another site.' },
);
export type EmbedToken = Static<typeof EmbedToken>;

export const TokenParams = Type.Object({
  jti: Type.Unsafe<string>({ ...Id, description: 'The id of the embed token.' }),
});

export const DomainParams = idParams('embed domain');
export const DomainListQuery = ListQuery;
export const EmbedDomainPage = Page(EmbedDomain);

export const CreateEmbedDomain = Type.Object(
  {
    origin: Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'An origin such as `https://app.example.com`, or `https://*.example.com` for all subdomains of your domain. `http://localhost:3000` is accepted for local development.',
    }),
  },
  { $id: 'CreateEmbedDomain', description: 'A site that may show the dashboards of the workspace in a frame.' },
);

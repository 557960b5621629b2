import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Nullable, Revision, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { QuestionFilter } from '../../semantics/questions/index.ts';
import { Attributes } from '../../tenancy/workspaces/index.ts';

/** What links open. */
export const CONTENT_TYPES = ['dashboard', 'report', 'story'] as const;
export type LinkContentType = (typeof CONTENT_TYPES)[number];
export const SHARE_TYPES = ['public', 'password', 'rls'] as const;

/** What applications show of a link that is pasted into them. */
export const LINK_PREVIEWS = ['none', 'title', 'picture'] as const;
export type LinkPreview = (typeof LINK_PREVIEWS)[number];

export const DEFAULT_AI_RATE = 20;

export const ContentType = StringEnum(CONTENT_TYPES, { description: 'What the link opens.' });
export const AiRatePerHour = Type.Integer({
  minimum: 1,
  maximum: 500,
  description: `The number of questions to the AI provider in a clock hour; ${DEFAULT_AI_RATE} by default.`,
});

/** In the path of every operation for the readers of a link. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The token of a share link, or an embed token.',
});

export const LinkPassword = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The password, if the link has one.',
});

export const RlsContext = StrictObject(
  { attributes: Attributes },
  { $id: 'RlsContext', description: 'What row-level security sees as `user.attr(…)` of the readers of a link.' },
);

export const LockedFilter = StrictObject(
  {
    fieldId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The id of a field of a model, or the name of a column of a dataset.',
    }),
    op: QuestionFilter.properties.op,
    values: QuestionFilter.properties.values,
  },
  {
    $id: 'LockedFilter',
    description:
      'A condition that the reader can neither see nor change. Cards whose source lacks the field are not shown.',
  },
);
export type LockedFilter = Static<typeof LockedFilter>;

export const shareProperties = {
  id: Id,
  workspaceId: Id,
  contentType: ContentType,
  contentId: Id,
  shareType: StringEnum(SHARE_TYPES, {
    description:
      '`public`: opens for anyone with the link; `password`: also requires a password; `rls`: shows the rows that policies allow for `rlsContext`.',
  }),
  rlsContext: Nullable(RlsContext),
  tokenPrefix: Type.String({ description: 'The beginning of the token, to recognize the link.' }),
  allowAi: Type.Boolean({ description: 'Whether readers may ask the AI provider about the rows that they see.' }),
  aiRatePerHour: AiRatePerHour,
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export const EmbedDomain = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    origin: Type.String({ description: 'Such as `https://app.example.com` or `https://*.example.com`.' }),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'EmbedDomain', description: 'A site that may show the dashboards of the workspace in a frame.' },
);
export type EmbedDomain = Static<typeof EmbedDomain>;

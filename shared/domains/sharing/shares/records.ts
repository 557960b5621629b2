import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Attributes } from '../../tenancy/workspaces/index.ts';
import type { EventType } from './event-types.ts';
import { type LinkContentType, type LinkPreview, type LockedFilter, shareProperties } from './schemas.ts';

const ShareProperties = Type.Object(shareProperties);
/** A share link as stored: its token and its password only as digests. */
export type ShareRecord = Static<typeof ShareProperties> & {
  /** `expiresAt` of the API; the table erases items by the attribute of that name. */
  validUntil: string | null;
  companyId: string;
  tokenDigest: string;
  passwordHash: string | null;
  allowExport: boolean;
  preview: LinkPreview;
};

/** The counters of a share link, which change without its record. */
export interface ShareUsage {
  viewCount: number;
  lastAccessedAt: string | null;
  events: EventCounts;
}

/** The creator, on whose right an embed token depends. */
export interface EmbedCreator {
  userId: string;
  membershipId?: string | undefined;
  /** For tokens that an API key has created. */
  apiKeyId?: string | undefined;
  serviceAccountId?: string | undefined;
}

export interface EmbedTokenRecord {
  id: string;
  workspaceId: string;
  companyId: string;
  contentType: LinkContentType;
  contentId: string;
  attributes: Attributes;
  lockedFilters: LockedFilter[];
  allowExport: boolean;
  allowAi: boolean;
  /** The id of the reader at the site. Absent from tokens of sites that give none. */
  subject?: string | undefined;
  creator: EmbedCreator;
  createdAt: string;
  validUntil: string;
}

/** The reader of a link: what the token of a request lets its bearer see. */
export interface LinkReader {
  kind: 'share' | 'embed';
  id: string;
  workspaceId: string;
  content: { type: LinkContentType; id: string };
  /** Whether the reader has attributes. Without them, protected tables are not served at all. */
  hasAttributes: boolean;
  lockedFilters: readonly LockedFilter[];
  allowExport: boolean;
  preview: LinkPreview;
  allowAi: boolean;
  aiRatePerHour: number;
  /** The reader of an embed token, as its site names it. */
  subject: string | null;
  expiresAt: string | null;
  tokenDigest: string;
  passwordHash: string | null;
  /** The caller as which rows are read. */
  principal: Principal;
}

export type EventCounts = Partial<Record<EventType, number>>;

/** The public API of this domain; everything else is internal. */

export { type AiQuota, aiQuota, MAX_EMBED_QUESTIONS, MAX_WORKSPACE_QUESTIONS } from './ai-quota.ts';
export {
  type EmbedDomainRepository,
  embedDomainRepository,
  frameAncestors,
  MAX_EMBED_CHARACTERS,
  MAX_EMBED_DOMAINS,
} from './embed-domains.ts';
export { type EmbedTokens, embedTokens } from './embed-tokens.ts';
export { shareCleanUps } from './end-shares.ts';
export { EVENT_TYPES, type EventType } from './event-types.ts';
export {
  assertPublished,
  type ContentDeps,
  type LinkParts,
  type PublishedContent,
  partsOfContent,
  publishedContent,
  publishedParts,
  sharedContent,
  showParts,
} from './link-content.ts';
export { type LinkEvents, linkEvents, MAX_VISITOR_EVENTS } from './link-events.ts';
export { delayMs, type LinkPasswords, linkPasswords } from './link-password.ts';
export { drawingQuota, type LinkQuota, MAX_LINK_DRAWINGS, MAX_LINK_QUERIES, queryQuota } from './link-quotas.ts';
export { type LinkReading, type LinkRowsDeps, linkRows, protectedCards } from './link-rows.ts';
export { newLinkToken } from './link-token.ts';
export { type LinkViews, linkViews } from './link-views.ts';
export { linkedContents } from './linked-contents.ts';
export {
  type OpenDeps,
  type OpenedCard,
  type Opening,
  openedCard,
  openLink,
  openSharedCard,
  openSharedParts,
} from './open-shared.ts';
export { previewIssue, previewOf } from './preview-of.ts';
export type { EmbedTokenRecord, EventCounts, LinkReader, ShareRecord, ShareUsage } from './records.ts';
export { linkResolver, type ResolveLink } from './resolve-link.ts';
export {
  AiRatePerHour,
  CONTENT_TYPES,
  ContentType,
  DEFAULT_AI_RATE,
  EmbedDomain,
  LINK_PREVIEWS,
  LinkPassword,
  type LinkPreview,
  LinkToken,
  LockedFilter,
  RlsContext,
  SHARE_TYPES,
  shareProperties,
} from './schemas.ts';
export { countedBy, type ShareRepository, shareRepository } from './share-repository.ts';
export { SharedContent, SharedLink } from './shared-content.ts';
export type { Visitor } from './visitor-mark.ts';

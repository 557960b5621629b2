/** The public API of this domain; everything else is internal. */
export {
  AiRatePerHour,
  CONTENT_TYPES,
  ContentType,
  DEFAULT_AI_RATE,
  EmbedDomain,
  EVENT_TYPES,
  type EventType,
  LinkPassword,
  LinkToken,
  LockedFilter,
  RlsContext,
  SHARE_TYPES,
  shareProperties,
} from './schemas.ts';
export { SharedContent, SharedLink } from './shared-content.ts';

/** The public API of this domain; everything else is internal. */
export { addCard, assertPage } from './add-card.ts';
export { type BookmarkRepository, bookmarkRepository } from './bookmarks.ts';
export { type EditDeps, editedDashboard, editParts, type NamedDashboard, partsOf } from './edit.ts';
export { endBookmarksOf, endDashboard, purgeAt } from './end-dashboards.ts';
export { filterIssues, jsonTextIssues, positionIssues } from './issues.ts';
export type { DashboardPlace } from './keys.ts';
export { MAX_BATCH, MAX_PARTS } from './limits.ts';
export {
  type Act,
  assertRemovable,
  changedPart,
  newStamps,
  placedAt,
  reordered,
  replacedIn,
  touchedPart,
  withoutCards,
} from './parts.ts';
export { publishedFor, type ReaderDeps, seenDashboard } from './reader.ts';
export {
  type Content,
  countsOf,
  type DashboardGateReason,
  type DashboardParts,
  type DashboardRecord,
  type DashboardState,
  type DashboardVersion,
  hasUnpublishedChanges,
  PART_KINDS,
  type Snapshot,
} from './records.ts';
export { type DashboardRepository, dashboardRepository } from './repository.ts';
export {
  type Bookmark,
  bodyProperties,
  bookmarkProperties,
  bookmarkRecord,
  type CardContent,
  type CardRecord,
  Counts,
  cardProperties,
  type DashboardBody,
  dashboardProperties,
  type FilterRecord,
  filterProperties,
  GATE_CODES,
  type PageRecord,
  PartId,
  pageProperties,
  partStamps,
  STAGES,
} from './schemas.ts';
export { DashboardCard, DashboardFilter, DashboardPage, partOrdinal, shownPart, shownParts } from './shown-parts.ts';
export { type Sight, sightOf } from './sight.ts';
export { contentOf, type DashboardStore, dashboardStore, placeOf } from './store.ts';
export { type DashboardVersions, dashboardVersions } from './versions.ts';

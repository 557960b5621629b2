/** The public API of this domain; everything else is internal. */
export { addCard, assertPage } from './add-card.ts';
export { type BookmarkRepository, bookmarkRepository } from './bookmarks.ts';
export { DASHBOARD_SUBJECT, seenCards } from './dashboard-subject.ts';
export { DASHBOARD_USES } from './dashboard-uses.ts';
export { type EditDeps, editedDashboard, editParts, type NamedDashboard, partsOf } from './edit.ts';
export { dashboardCleanUps, type EndedDashboard, endDashboard, purgeAt } from './end-dashboards.ts';
export { FILE_MEMBERS, type FileChanges, fileChanges } from './files/changes.ts';
export { fileIssues } from './files/check-file.ts';
export { importedContent } from './files/import-file.ts';
export { DashboardFile, type FileSource, type FileSourceKind, type Named } from './files/schema.ts';
export { namedParts, sourceReferences, withOtherIds } from './files/sources.ts';
export { type FileContent, readDashboardFile, writeDashboardFile } from './files/views.ts';
export { filterIssues, jsonTextIssues, partIdIssues, positionIssues } from './issues.ts';
export type { DashboardPlace } from './keys.ts';
export { assertPartsFit, MAX_BATCH, MAX_PARTS } from './limits.ts';
export { meaningOfDashboard } from './meaning.ts';
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
export { publishedFor, type ReaderDeps, seenDashboard, seenWithDeleted } from './reader.ts';
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
export { DashboardCard, DashboardFilter, DashboardPage, partOrdinal, showPart, showParts } from './show-parts.ts';
export { type Sight, sightOf } from './sight.ts';
export { contentOf, type DashboardStore, dashboardPlaceOf, dashboardStore } from './store.ts';
export { dashboardUseItems } from './uses-in.ts';
export { type DashboardVersions, dashboardVersions } from './versions.ts';

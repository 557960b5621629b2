import {
  type Content,
  countsOf,
  type DashboardBody,
  type DashboardRecord,
  type DashboardState,
  hasUnpublishedChanges,
  type Sight,
  type Snapshot,
  showParts,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Dashboard, DashboardDetails, DashboardSummary } from '../schemas.ts';

/** The record as the caller sees it: with the draft, or as it was published. */
export function showSummary(record: DashboardRecord, content: Content, { seesDraft }: Sight): DashboardSummary {
  const { published, hasOwnChanges: _own, publishRequest: _request, ...members } = record;
  const version = {
    publishedVersion: published?.version ?? null,
    publishedAt: published?.at ?? null,
    publishedBy: published?.by ?? null,
  };
  if (!seesDraft && published) {
    const { name, description, counts } = published;
    return { ...members, ...version, name, description, counts, hasUnpublishedChanges: false };
  }
  return {
    ...members,
    ...version,
    hasUnpublishedChanges: hasUnpublishedChanges(record, content),
    counts: countsOf(content),
  };
}

/** How editors see it. */
export const AS_EDITOR: Sight = { permission: 'editor', via: 'role', seesDraft: true, mayDelete: true };

export const showDashboard = ({ record, content, body }: DashboardState): Dashboard => ({
  ...showSummary(record, content, AS_EDITOR),
  ...body,
});

export const showDraft = (state: DashboardState): DashboardDetails => ({
  ...showDashboard(state),
  ...showParts(state.record.id, state),
});

/** The dashboard as readers see its published version. */
export const showPublished = (state: DashboardState, sight: Sight, snapshot: Snapshot): DashboardDetails => ({
  ...showSummary(state.record, state.content, sight),
  ...bodyOf(snapshot),
  ...showParts(state.record.id, snapshot),
});

export const bodyOf = ({ layout, theme, filterState, timezone }: DashboardBody): DashboardBody => ({
  layout,
  theme,
  filterState,
  timezone,
});

export const viewerMeta = (
  principal: Principal,
  { permission, via }: Sight,
  { isShared, canExport }: { isShared: boolean; canExport: boolean },
) => ({
  permission,
  via,
  isShared,
  canExport,
  canShare: isPermitted('dashboards:write', principal),
});

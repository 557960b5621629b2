import type { Table } from '../../../platform/storage/table.ts';
import { dashboardRepository, dashboardVersions } from '../../boards/dashboards/index.ts';
import { reportRepository } from '../../boards/reports/index.ts';
import { snapshotStore } from '../../stories/snapshots/index.ts';
import { storyRepository, storyVersions } from '../../stories/stories/index.ts';
import type { ContentDeps } from './link-content.ts';

/** Everything that links open. */
export const linkedContents = (table: Table) =>
  ({
    dashboards: dashboardRepository(table),
    versions: dashboardVersions(table),
    reports: reportRepository(table),
    stories: storyRepository(table),
    storyVersions: storyVersions(table),
    snapshots: snapshotStore(table),
  }) satisfies ContentDeps;

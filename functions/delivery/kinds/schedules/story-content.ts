import { seenParts } from '../../../../shared/domains/boards/cards/index.ts';
import { dashboardStore, dashboardVersions } from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  STORIES,
  type StoredScheduleMail,
  type StorySchedule,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { ArticleFormat } from '../../../../shared/domains/boards/exports/index.ts';
import { exportStory, type StoryExportDeps, storyParts } from '../../../../shared/domains/stories/exports/index.ts';
import { snapshotStore } from '../../../../shared/domains/stories/snapshots/index.ts';
import { storyRepository, storyStore, storyVersions } from '../../../../shared/domains/stories/stories/index.ts';
import { storyStopReason } from '../../../../shared/domains/stories/story-schedules/index.ts';
import { grantReader } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Opener, ReadingClients } from '../stages.ts';
import { noneIf } from './dashboard-content.ts';
import type { Content } from './deliver-schedule.ts';
import type { MailedFiles } from './mailed-file.ts';
import { filesOf, openSchedules, writerDeps } from './open-schedules.ts';

export const openStorySchedules: Opener<StorySchedule, StoredScheduleMail> = (clients) =>
  openSchedules(clients, storyContent(clients, storyDeps(clients), filesOf(clients)));

function storyDeps(clients: ReadingClients): StoryExportDeps {
  const { table } = clients;
  const writing = writerDeps(clients);
  const dashboards = {
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
  };
  return {
    ...writing,
    snapshots: snapshotStore(table),
    dashboardFor: (principal, id) => seenParts(dashboards, { principal, id }),
    stories: {
      store: storyStore(table),
      versions: storyVersions(table),
      grantOf: grantReader(table, 'story'),
      charts: writing,
      sources: { dashboards: dashboards.store, dashboardVersions: dashboards.versions },
    },
  };
}

/** What schedules of stories send: what was published, as each recipient sees it. */
const storyContent = (
  { table, log }: Pick<ReadingClients, 'table' | 'log'>,
  deps: StoryExportDeps,
  files: MailedFiles,
): Content<StorySchedule> => ({
  kind: STORIES,
  stopReason: async ({ workspaceId, storyId }) =>
    storyStopReason(await storyRepository(table).get(workspaceId, storyId)) ?? undefined,
  async seen({ id: scheduleId, storyId: id }, principal) {
    const onError = (error: unknown) =>
      log.error('a value of a story could not be read', { error: error as Error, scheduleId });
    const parts = await storyParts(deps, { principal, id, onError }).catch(noneIf('STORY_NOT_FOUND'));
    return parts && { ...parts, pageId: null, theme: null };
  },
  file: (schedule, principal) =>
    files.write(schedule, principal, (options) =>
      exportStory(deps, { ...options, storyId: schedule.storyId, format: schedule.format as ArticleFormat }),
    ),
  ended: async () => [],
});

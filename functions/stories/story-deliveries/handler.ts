import { seenParts } from '../../../shared/domains/boards/cards/index.ts';
import {
  createSchedule,
  deleteSchedule,
  listScheduleRuns,
  listSchedules,
  openSchedules,
  runSchedule,
  type ScheduleDeps,
  STORIES,
  type StorySchedule,
  updateSchedule,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import {
  type EndedDelivery,
  reportQueue,
  unsubscribePages,
} from '../../../shared/domains/delivery/deliveries/index.ts';
import { storyStore, storyVersions } from '../../../shared/domains/stories/stories/index.ts';
import { grantCheck, grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/platform/net/guard-from-environment.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import { openCards } from '../../boards/common/open-cards.ts';
import * as routes from './routes.ts';
import { type ScheduledStoryDeps, scheduledStory } from './scheduled-story.ts';

const group = openGroup('story-deliveries');
const { table, now } = group;
const { store: dashboards, versions: dashboardVersions, grantOf, ...charts } = openCards(group);
const deps: ScheduledStoryDeps = {
  store: storyStore(table),
  versions: storyVersions(table),
  grantOf: grantReader(table, 'story'),
  charts,
  sources: { dashboards, dashboardVersions },
  dashboardFor: (principal, id) =>
    seenParts({ store: dashboards, versions: dashboardVersions, grantOf }, { principal, id }),
};

const schedules: ScheduleDeps<StorySchedule> = openSchedules({
  ...{ kind: STORIES, table, master: group.master, charts, now },
  object: (named) => scheduledStory(deps, named),
  sendsMail: Boolean(process.env.MAIL_FROM),
  queue: reportQueue(environment('REPORT_QUEUE_URL')),
  guard: guardFromEnvironment(),
  cleanUpItem: ({ workspaceId, id: deliveryId }) =>
    cleanUpItem<EndedDelivery>(table, { kind: 'delivery', workspaceId, area: STORIES.area, deliveryId }, now()),
});
const unsubscribing = unsubscribePages(
  { ...schedules, deliveries: schedules.schedules, members: schedules.membersOf },
  'story',
);

export const handler = endpointGroup(
  [
    bind(routes.listStorySchedules, ({ principal, params: { id } }) => listSchedules(schedules, { principal, id })),
    bind(routes.createStorySchedule, ({ principal, params: { id }, body: schedule, newId, headers }) =>
      createSchedule(schedules, { principal, id, newId, schedule, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.updateStorySchedule, ({ principal, params, body: change, headers }) =>
      updateSchedule(schedules, { principal, ...params, change, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.deleteStorySchedule, ({ principal, params }) => deleteSchedule(schedules, { principal, ...params })),
    bind(routes.listStoryScheduleRuns, ({ principal, params, query: { limit } }) =>
      listScheduleRuns(schedules, { principal, ...params, limit }),
    ),
    bind(routes.runStorySchedule, ({ principal, params, newId: runId }) =>
      runSchedule(schedules, { principal, ...params, runId }),
    ),
    bindPublic(routes.getStoryUnsubscribePage, ({ query: { token } }) => unsubscribing.ask(token)),
    bindPublic(routes.unsubscribeFromStory, ({ query: { token } }) => unsubscribing.leave(token)),
  ],
  { ...group, isGranted: grantCheck(table) },
);

import { seenParts } from '../../../shared/domains/boards/cards/index.ts';
import { STORIES, type StorySchedule } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { storyStore, storyVersions } from '../../../shared/domains/stories/stories/index.ts';
import { grantCheck, grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { openCards } from '../../boards/common/open-cards.ts';
import { openDeliveries } from '../../delivery/schedules/open-deliveries.ts';
import * as routes from './routes.ts';
import { type ScheduledStoryDeps, scheduledStory } from './scheduled-story.ts';

const group = openGroup('story-deliveries');
const { table } = group;
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

const deliveries = openDeliveries<StorySchedule>(group, {
  ...{ kind: STORIES, charts },
  object: (named) => scheduledStory(deps, named),
});

export const handler = endpointGroup(
  [
    bind(routes.listStorySchedules, deliveries.list),
    bind(routes.createStorySchedule, deliveries.create),
    bind(routes.updateStorySchedule, deliveries.update),
    bind(routes.deleteStorySchedule, deliveries.remove),
    bind(routes.listStoryScheduleRuns, deliveries.runs),
    bind(routes.runStorySchedule, deliveries.run),
    bindPublic(routes.getStoryUnsubscribePage, deliveries.page),
    bindPublic(routes.unsubscribeFromStory, deliveries.leave),
  ],
  { ...group, isGranted: grantCheck(table) },
);

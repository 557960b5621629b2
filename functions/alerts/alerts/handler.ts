import { alertQueue } from '../../../shared/domains/alerts/evaluations/index.ts';
import { alertCleanUps, alertRepository, classStates } from '../../../shared/domains/alerts/rules/index.ts';
import { readingWith } from '../../../shared/domains/alerts/sources/index.ts';
import { deliveryPeople } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import {
  follows,
  listedNotifications,
  notificationReader,
} from '../../../shared/domains/delivery/notifications/index.ts';
import { blendFunction } from '../../../shared/domains/semantics/blends/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../shared/domains/semantics/queries/index.ts';
import { groupRepository } from '../../../shared/domains/tenancy/groups/index.ts';
import { openSubjects } from '../../../shared/domains/tenancy/subjects/index.ts';
import { listMembers, readPeople, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { NOTIFICATION_TEXTS } from '../../../shared/domains/upkeep/notification-texts/index.ts';
import { NOTIFIED_KINDS } from '../../../shared/domains/upkeep/subject-kinds/index.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/platform/net/guard-from-environment.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem, cleanUpNow } from '../../../shared/platform/storage/clean-ups.ts';
import { oneTime } from '../../../shared/platform/storage/one-time.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import { type FeedDeps, markRead, readFeed } from './feed/read-feed.ts';
import * as feedRoutes from './feed/routes.ts';
import {
  followAlert,
  listAlertHistory,
  type OperationDeps,
  runAlert,
  snoozeAlert,
  unfollowAlert,
} from './operations/operate-alert.ts';
import { previewAlert } from './operations/preview-alert.ts';
import * as operationRoutes from './operations/routes.ts';
import * as routes from './routes.ts';
import { getAlert, listAlerts } from './use-cases/find-alert.ts';
import { createAlert, deleteAlert, updateAlert } from './use-cases/save-alert.ts';

const group = openGroup('alerts');
const { table, now, log } = group;
const queries = openQueries(group);

const deps: OperationDeps = {
  ...readingWith(table, {
    ...queries,
    definitions: queries.rights.definitions,
    readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
    runBlend: blendFunction(environment('BLEND_FUNCTION')),
  }),
  table,
  alerts: alertRepository(table),
  states: classStates(table),
  secrets: secretBox(group.master),
  guard: guardFromEnvironment(),
  deliveryPeople: (workspaceId) =>
    deliveryPeople(
      { members: (id) => listMembers(table, id), workspace: (id) => readWorkspace(table, id) },
      workspaceId,
    ),
  members: (workspaceId, userIds) => readPeople(table, workspaceId, userIds),
  groupsAmong: async (workspaceId, ids) =>
    new Set((await groupRepository(table).getMany(workspaceId, ids)).map(({ id }) => id)),
  queue: alertQueue(environment('ALERT_QUEUE_URL')),
  follows: follows(table),
  turns: oneTime(table, 'alert-run'),
  cleanUpItem: (ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended) =>
    cleanUpNow(table, alertCleanUps, ended, (error) => log.warn('states of an alert are still to be removed', error)),
};

const feed: FeedDeps = {
  table,
  see: openSubjects(table, NOTIFIED_KINDS).find,
  texts: NOTIFICATION_TEXTS,
  reader: notificationReader(table),
  listed: listedNotifications(table),
  cursors: group.cursors,
  now,
};

export const handler = endpointGroup(
  [
    bind(feedRoutes.readAlertFeed, ({ principal, query }) => readFeed(feed, principal, query)),
    bind(feedRoutes.markNotificationsRead, ({ principal, body }) => markRead(feed, principal, body ?? {})),
    bind(routes.listAlerts, ({ principal, query }) => listAlerts(deps, principal, query)),
    bind(routes.createAlert, ({ principal, body: alert, newId: id, headers }) =>
      createAlert(deps, { id, principal, alert, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.getAlert, ({ principal, params: { id } }) => getAlert(deps, { principal, id })),
    bind(routes.updateAlert, ({ principal, params: { id }, body: change, headers }) =>
      updateAlert(deps, { principal, id, change, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.deleteAlert, ({ principal, params: { id } }) => deleteAlert(deps, { principal, id })),

    bind(operationRoutes.previewAlert, ({ principal, body }) => previewAlert(deps, principal, body)),
    bind(operationRoutes.runAlert, ({ principal, params: { id } }) => runAlert(deps, { principal, id })),
    bind(operationRoutes.listAlertHistory, ({ principal, params: { id }, query: { limit } }) =>
      listAlertHistory(deps, { principal, id, limit }),
    ),
    bind(operationRoutes.snoozeAlert, ({ principal, params: { id }, body }) =>
      snoozeAlert(deps, { principal, id, ...body }),
    ),
    bind(operationRoutes.followAlert, ({ principal, params: { id } }) => followAlert(deps, { principal, id })),
    bind(operationRoutes.unfollowAlert, ({ principal, params: { id } }) => unfollowAlert(deps, { principal, id })),
  ],
  showingDefinitions(group, 'alert'),
);

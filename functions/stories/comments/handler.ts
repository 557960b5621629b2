import type { ProtectedDeps } from '../../../shared/domains/boards/charts/index.ts';
import { linkPages } from '../../../shared/domains/delivery/deliveries/index.ts';
import {
  announceNow,
  follows,
  mailBatches,
  mailTokens,
  subscribedPerson,
  unsubscribeByLink,
} from '../../../shared/domains/delivery/notifications/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { findLiveSource } from '../../../shared/domains/semantics/queries/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { commentStore } from '../../../shared/domains/stories/comments/index.ts';
import { groupMemberships, groupRepository } from '../../../shared/domains/tenancy/groups/index.ts';
import { openSubjects } from '../../../shared/domains/tenancy/subjects/index.ts';
import { listMembers, readPeople, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { SUBJECT_KINDS } from '../../../shared/domains/upkeep/subject-kinds/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../shared/platform/observability/logger.ts';
import * as routes from './routes.ts';
import type { CommentDeps } from './use-cases/context.ts';
import { findCandidates, followObject, listComments } from './use-cases/read-comments.ts';
import { createComment, deleteComment, updateComment } from './use-cases/write-comment.ts';

const group = openGroup('comments');
const log = createLogger('comments');
const { table, now } = group;
const rights = rightsDeps(table, now);
const sources = dataSourceRepository(table);

const charts: ProtectedDeps = {
  engine: engineFunction(environment('ENGINE_FUNCTION')),
  rights,
  definitions: rights.definitions,
  live: { find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId) },
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  datasets: datasetRepository(table),
  savedQueries: savedQueryRepository(table).queries,
  metrics: metricRepository(table),
  blends: blendRepository(table),
  now,
};

const subjects = openSubjects(table, SUBJECT_KINDS);

const deps: CommentDeps = {
  table,
  store: commentStore(table),
  subjects,
  follows: follows(table),
  batches: mailBatches(table),
  tokens: mailTokens(group.master),
  charts,
  workspace: (id) => readWorkspace(table, id),
  members: (workspaceId) => listMembers(table, workspaceId),
  people: (workspaceId, userIds) => readPeople(table, workspaceId, userIds),
  groups: groupRepository(table),
  memberships: groupMemberships(table),
  announceNow: (announcement) =>
    announceNow(table, announcement, (error) => log.error('an announcement is left to the tick', { error })),
  now,
};

const unsubscribing = linkPages(
  {
    async find(token) {
      const found = await subscribedPerson(deps, token);
      return found && { name: `this ${found.subject.type.replaceAll('-', ' ')}` };
    },
    leave: (token) => unsubscribeByLink(deps, token),
  },
  { emails: 'emails about', ended: 'these emails' },
);

export const handler = endpointGroup(
  [
    bind(routes.createComment, ({ principal, body: comment, newId: id, headers }) =>
      createComment(deps, { id, principal, comment, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.updateComment, ({ principal, params: { id }, body: change, headers }) =>
      updateComment(deps, { principal, id, change, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.deleteComment, ({ principal, params: { id } }) => deleteComment(deps, { principal, id })),
    bind(routes.listComments, ({ principal, params: resource, query }) =>
      listComments(deps, { principal, resource }, query),
    ),
    bind(routes.listCommentCandidates, ({ principal, params: resource, query: { q } }) =>
      findCandidates(deps, { principal, resource }, q),
    ),
    bind(routes.followObject, ({ principal, params: resource, body }) =>
      followObject(deps, { principal, resource }, body),
    ),
    bindPublic(routes.getNotificationsUnsubscribePage, ({ query: { token } }) => unsubscribing.ask(token)),
    bindPublic(routes.unsubscribeFromNotifications, ({ query: { token } }) => unsubscribing.leave(token)),
  ],
  group,
);

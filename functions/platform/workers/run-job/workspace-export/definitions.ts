import {
  type DashboardRecord,
  dashboardStore,
  partsOf,
} from '../../../../../shared/domains/boards/dashboards/index.ts';
import {
  DASHBOARDS,
  REPORTS,
  STORIES,
  scheduleRepository,
} from '../../../../../shared/domains/boards/delivery-schedules/index.ts';
import {
  type Report,
  type ReportRecord,
  reportRepository,
} from '../../../../../shared/domains/boards/reports/index.ts';
import { flowletRepository } from '../../../../../shared/domains/pipelines/flowlets/index.ts';
import { dagStore, type StoredPipeline } from '../../../../../shared/domains/pipelines/store/index.ts';
import { rightsDeps } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import { isHidden, type StoryRecord, storyStore } from '../../../../../shared/domains/stories/stories/index.ts';
import { type GroupRecord, groupMemberships } from '../../../../../shared/domains/tenancy/groups/index.ts';
import { listMembers, readMemberAttributes } from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import { everyRecord } from '../../../../../shared/platform/storage/every-record.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';
import { picked, RECORD_KINDS, showDelivery } from './definition-kinds.ts';

export interface Definitions {
  table: Table;
  objects: ObjectStore;
  workspaceId: string;
  /** The admin who exports, who sees the texts of stories as their readers do. */
  principal: Principal;
  now(): Date;
}

type Reader = (from: Definitions) => AsyncIterable<object>;

/** What the workspace has of each kind, by the name of the file in the archive. Deleted content is left out. */
export const DEFINITIONS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    Object.entries(RECORD_KINDS).map(([file, { entity, shown }]): [string, Reader] => [
      file,
      ({ table, workspaceId }) => mapped(everyRecord<never>(table, workspaceId, entity), shown),
    ]),
  ),
  members,
  groups,
  pipelines,
  flowlets,
  dashboards,
  'dashboard-schedules': dashboardSchedules,
  reports,
  'report-schedules': reportSchedules,
  stories,
  'story-schedules': storySchedules,
};

async function* mapped<T, V>(source: AsyncIterable<T>, view: (each: T) => V): AsyncGenerator<V> {
  for await (const each of source) yield view(each);
}

async function* members({ table, workspaceId }: Definitions) {
  for (const member of await listMembers(table, workspaceId)) {
    const { attributes } = await readMemberAttributes(table, member);
    yield { ...picked(member, ['userId', 'email', 'name', 'role', 'joinedAt']), attributes };
  }
}

const MEMBERS_AT_ONCE = 200;

async function* groups({ table, workspaceId }: Definitions) {
  const memberships = groupMemberships(table);
  for await (const group of everyRecord<GroupRecord>(table, workspaceId, 'group')) {
    const memberIds: string[] = [];
    let after: string | undefined;
    do {
      const page = await memberships.list({ workspaceId, groupId: group.id }, { limit: MEMBERS_AT_ONCE, after });
      memberIds.push(...page.items.map(({ userId }) => userId));
      after = page.last;
    } while (after !== undefined);
    yield { ...picked(group, ['id', 'name', 'description', 'externalId', 'createdAt', 'updatedAt']), memberIds };
  }
}

async function* pipelines({ table, objects, workspaceId }: Definitions) {
  const dags = dagStore(table, objects);
  for await (const pipeline of everyRecord<StoredPipeline>(table, workspaceId, 'pipeline')) {
    yield {
      ...picked(pipeline, ['id', 'name', 'status', 'dagVersion', 'schedule', 'concurrency', 'compute', 'createdBy']),
      ...picked(pipeline, ['createdAt', 'updatedAt', 'revision']),
      dag: await dags.get(workspaceId, pipeline.dagHash),
    };
  }
}

async function* flowlets({ table, workspaceId }: Definitions) {
  const repository = flowletRepository(table);
  for await (const { latestId } of everyRecord<{ latestId: string }>(table, workspaceId, 'flowlet-name')) {
    const flowlet = await repository.get(workspaceId, latestId);
    if (flowlet) yield flowlet;
  }
}

const OF_CONTENT = ['id', 'name', 'description', 'ownerId', 'isPublished'] as const;
const CHANGES = ['createdBy', 'updatedBy', 'createdAt', 'updatedAt', 'revision'] as const;

/** The drafts, which editors continue with. */
async function* dashboards({ table, workspaceId }: Definitions) {
  const store = dashboardStore(table);
  for await (const record of presentDashboards({ table, workspaceId })) {
    const state = await store.read({ workspaceId, dashboardId: record.id });
    if (!state) continue;
    const { layout, theme, filterState, timezone } = state.body;
    const parts = partsOf(state);
    yield {
      ...picked(state.record, [...OF_CONTENT, 'stage', ...CHANGES]),
      ...{ layout, theme, filterState, timezone },
      ...parts,
    };
  }
}

async function* presentDashboards({ table, workspaceId }: Pick<Definitions, 'table' | 'workspaceId'>) {
  for await (const record of everyRecord<DashboardRecord>(table, workspaceId, 'dashboard'))
    if (record.deletedAt === null) yield record;
}

async function* dashboardSchedules({ table, workspaceId }: Definitions) {
  const schedules = scheduleRepository(table, DASHBOARDS);
  for await (const { id } of presentDashboards({ table, workspaceId })) {
    for (const schedule of await schedules.ofObject(workspaceId, id))
      yield showDelivery(schedule, ['id', 'dashboardId', 'name', 'format', 'condition', 'filters', 'pageId']);
  }
}

async function* reportSchedules({ table, workspaceId }: Definitions) {
  const schedules = scheduleRepository(table, REPORTS);
  for await (const { id, deletedAt } of everyRecord<ReportRecord>(table, workspaceId, 'report')) {
    if (deletedAt !== null) continue;
    for (const schedule of await schedules.ofObject(workspaceId, id))
      yield showDelivery(schedule, ['id', 'reportId', 'name', 'format', 'condition', 'filters', 'parameters']);
  }
}

async function* reports({ table, workspaceId }: Definitions) {
  const repository = reportRepository(table);
  for await (const { id, deletedAt } of everyRecord<ReportRecord>(table, workspaceId, 'report')) {
    const report: Report | undefined = deletedAt === null ? await repository.read(workspaceId, id) : undefined;
    if (report) yield picked(report, [...OF_CONTENT, ...CHANGES, 'layout', 'parameters']);
  }
}

const OF_SECTION = ['id', 'title', 'content', 'source', 'ai', 'status', 'assigneeId', 'visibility'] as const;

/** The drafts. A section that is hidden from the admin has neither title nor content. */
async function* stories({ table, workspaceId, principal, now }: Definitions) {
  const store = storyStore(table);
  const rights = { charts: { rights: rightsDeps(table, now) } };
  for await (const record of presentStories({ table, workspaceId })) {
    const place = { workspaceId, storyId: record.id };
    const state = await store.read(place);
    if (!state) continue;
    const sections: object[] = [];
    for (const section of await store.withContents(place, state.sections)) {
      const isKept = await isHidden(rights, principal, section);
      const shown = isKept ? { ...section, title: null, content: null, ai: null } : section;
      sections.push({
        ...picked(shown, [...OF_SECTION, 'readOnly', 'editorIds', 'editSeq', ...CHANGES]),
        dueAt: section.workDueAt,
        ...(isKept && { hidden: { reason: 'DATA_ACCESS' } }),
      });
    }
    yield {
      ...picked(state.record, ['id', 'title', 'summary', 'mode', 'ownerId', 'archivedAt', ...CHANGES]),
      publishedVersion: state.record.published?.version ?? null,
      sections,
    };
  }
}

async function* presentStories({ table, workspaceId }: Pick<Definitions, 'table' | 'workspaceId'>) {
  for await (const record of everyRecord<StoryRecord>(table, workspaceId, 'story'))
    if (record.deletedAt === null) yield record;
}

async function* storySchedules({ table, workspaceId }: Definitions) {
  const schedules = scheduleRepository(table, STORIES);
  for await (const { id } of presentStories({ table, workspaceId })) {
    for (const schedule of await schedules.ofObject(workspaceId, id))
      yield showDelivery(schedule, ['id', 'storyId', 'name', 'format', 'condition']);
  }
}

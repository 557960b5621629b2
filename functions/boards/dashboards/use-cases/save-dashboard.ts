import {
  type Act,
  contentOf,
  type DashboardBody,
  type DashboardRecord,
  type DashboardState,
  dashboardPlaceOf,
  dashboardUseItems,
  editedDashboard,
  jsonTextIssues,
  type NamedDashboard,
  publishedFor,
  seenDashboard,
  seenWithDeleted,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { CreateDashboard, Dashboard, DashboardDetails, DashboardQuery, UpdateDashboard } from '../schemas.ts';
import { createRecord, type DashboardDeps, replaceRecord } from './context.ts';
import { publication } from './publish.ts';
import { showDashboard, showDraft, showPublished, viewerMeta } from './views.ts';

const NO_PARTS = { pages: [], cards: [], filters: [] };

/** Throws `DASHBOARD_NAME_TAKEN` or `VALIDATION_FAILED`. */
export async function createDashboard(
  deps: DashboardDeps,
  { id, principal, dashboard }: { id: string; principal: Principal; dashboard: CreateDashboard },
): Promise<Dashboard> {
  const { name, description, layout = null, theme = null, filterState = null, timezone = null } = dashboard;
  const body = { layout, theme, filterState, timezone };
  assertTexts(body);
  const act = { by: principal.userId, at: deps.now() };
  const record = newRecord({ id, workspaceId: principal.workspaceId, name, description }, act);
  const content = contentOf(NO_PARTS, { generation: id }, act);
  await createRecord(
    deps,
    record,
    [...deps.store.newItems(dashboardPlaceOf(record), body, content), createdEvent(deps, record)],
    body,
  );
  return showDashboard(await editedDashboard(deps, { principal, id }));
}

export function newRecord(
  given: Pick<DashboardRecord, 'id' | 'workspaceId' | 'name' | 'description'>,
  { by, at }: Act,
): DashboardRecord {
  const time = at.toISOString();
  return {
    ...given,
    ownerId: by,
    stage: 'draft',
    isPublished: false,
    published: null,
    hasOwnChanges: true,
    deletedAt: null,
    deletedBy: null,
    createdBy: by,
    updatedBy: by,
    createdAt: time,
    updatedAt: time,
    revision: 1,
  };
}

export function createdEvent(
  { table }: Pick<DashboardDeps, 'table'>,
  { id: dashboardId, workspaceId, name: dashboardName, createdBy, createdAt }: DashboardRecord,
): TransactItem {
  return outboxItem(table, {
    id: idFrom('dashboard.created', dashboardId),
    workspaceId,
    event: 'dashboard.created',
    data: { workspaceId, dashboardId, dashboardName, createdBy, createdAt, url: `/api/dashboards/${dashboardId}` },
    at: new Date(createdAt),
  });
}

function assertTexts(body: Partial<DashboardBody>): void {
  const errors = jsonTextIssues(body);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  if (body.timezone) canonicalTimezone(body.timezone);
}

/**
 * The dashboard as the caller sees it, also if it is deleted and the caller may restore it. Throws
 * `DASHBOARD_NOT_FOUND`.
 */
export async function getDashboard(
  deps: DashboardDeps,
  { include, ...named }: NamedDashboard & DashboardQuery,
): Promise<DashboardDetails> {
  const { principal } = named;
  const [seen, canExport] = await Promise.all([
    seenWithDeleted(deps, named),
    include !== undefined && deps.mayExport(principal),
  ]);
  const shown = await details(deps, seen);
  if (include === undefined) return shown;
  const meta = { isShared: seen.grant !== undefined, canExport };
  return { ...shown, viewerMeta: viewerMeta(principal, seen.sight, meta) };
}

/** The dashboard as the caller sees it, unless it is deleted. Throws `DASHBOARD_NOT_FOUND`. */
export const presentDashboard = async (deps: DashboardDeps, named: NamedDashboard): Promise<DashboardDetails> =>
  details(deps, await seenDashboard(deps, named));

async function details(
  deps: DashboardDeps,
  { state, sight }: Awaited<ReturnType<typeof seenDashboard>>,
): Promise<DashboardDetails> {
  const snapshot = await publishedFor(deps, state, sight);
  return snapshot ? showPublished(state, sight, snapshot) : showDraft(state);
}

interface UpdateCommand extends NamedDashboard {
  change: UpdateDashboard;
  requestId: string;
}

/** Throws `DASHBOARD_NOT_FOUND`, `DASHBOARD_NAME_TAKEN`, `VALIDATION_FAILED`, and `PUBLISH_GATE` where it publishes. */
export function updateDashboard(deps: DashboardDeps, command: UpdateCommand): Promise<Dashboard> {
  const { principal, change, requestId } = command;
  assertTexts(textsOf(change));
  return onNewest('STALE_WRITE', async () => {
    const state = await editedDashboard(deps, command);
    const act = { by: principal.userId, at: deps.now() };
    const next = { ...state, record: changedRecord(state, change, act), body: { ...state.body, ...textsOf(change) } };
    const publishes = change.isPublished === true && !state.record.isPublished;
    const { record, items } = publishes
      ? await publication(deps, next, { principal, requestId, act, override: false })
      : { record: next.record, items: [] };
    const body = deps.store.bodyItem(dashboardPlaceOf(record), next.body);
    const uses = await dashboardUseItems(deps.table, dashboardPlaceOf(record), {
      before: state.body,
      after: next.body,
    });
    const stored = await replaceRecord(deps, state.record, record, [body, ...items, ...uses]);
    return showDashboard({ ...next, record: stored });
  });
}

/** Only the texts that the request has. */
function textsOf({ layout, theme, filterState, timezone }: UpdateDashboard): Partial<DashboardBody> {
  return {
    ...(layout === undefined ? {} : { layout }),
    ...(theme === undefined ? {} : { theme }),
    ...(filterState === undefined ? {} : { filterState }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

function changedRecord(
  { record }: DashboardState,
  { name, description, stage, isPublished, ...texts }: UpdateDashboard,
  { by, at }: Act,
): DashboardRecord {
  const isContent = name !== undefined || description !== undefined || Object.keys(texts).length > 0;
  const isWithdrawn = isPublished === false && record.isPublished;
  return {
    ...record,
    name: name ?? record.name,
    description: description ?? record.description,
    stage: stage ?? (isWithdrawn ? 'draft' : record.stage),
    isPublished: record.isPublished && !isWithdrawn,
    hasOwnChanges: record.hasOwnChanges || isContent,
    updatedBy: by,
    updatedAt: later(record.updatedAt, at),
  };
}

import {
  type Act,
  countsOf,
  type DashboardRecord,
  type DashboardState,
  type DashboardVersion,
  dashboardPlaceOf,
  editedDashboard,
  meaningOfDashboard,
  type NamedDashboard,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { deprecatedSources } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { PublishDashboard, PublishedDashboard } from '../versions/schemas.ts';
import { type DashboardDeps, replaceRecord } from './context.ts';

const MAX_REASONS = 100;

interface PublishCommand extends PublishDashboard, NamedDashboard {
  requestId: string;
}

/** Throws `DASHBOARD_NOT_FOUND`, `PUBLISH_GATE` with the reasons, `FORBIDDEN` or `VALIDATION_FAILED`. */
export function publishDashboard(deps: DashboardDeps, command: PublishCommand): Promise<PublishedDashboard> {
  const { principal, requestId } = command;
  if (command.override) assertMayOverride(command);
  return onNewest('STALE_WRITE', async () => {
    const state = await editedDashboard(deps, command);
    const { published, publishRequest } = state.record;
    const warnings = await sourceWarnings(deps, state);
    if (published && publishRequest === requestId)
      return { ...(await deps.versions.find(dashboardPlaceOf(state.record), published.version)), warnings };
    const act = { by: principal.userId, at: deps.now() };
    const { record, version, items } = await publication(deps, state, { ...command, act });
    await replaceRecord(deps, state.record, record, items);
    return { ...version, warnings };
  });
}

async function sourceWarnings(
  { table }: Pick<DashboardDeps, 'table'>,
  { record: { workspaceId }, cards }: DashboardState,
): Promise<PublishedDashboard['warnings']> {
  const sources = cards.map(({ chartSpec, savedQueryId }) =>
    savedQueryId === null ? chartSpec?.query.source : { kind: 'savedQuery', id: savedQueryId },
  );
  const messageOf = await deprecatedSources(
    table,
    workspaceId,
    sources.filter((source) => source !== undefined),
  );
  const warnings = cards.flatMap(({ id: cardId, title: cardTitle }, index) => {
    const message = messageOf(sources[index]);
    return message === undefined ? [] : [{ code: 'DEPRECATED_SOURCE' as const, message, cardId, cardTitle }];
  });
  return warnings.slice(0, MAX_REASONS);
}

function assertMayOverride({ principal, overrideReason = '' }: PublishCommand): void {
  if (!isPermitted('dashboards:override', principal)) {
    throw new AppError('FORBIDDEN', { detail: 'Only admins publish a dashboard despite issues.' });
  }
  if (overrideReason.trim() !== '') return;
  const message = 'is required to override the checks';
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/overrideReason', code: 'REQUIRED', message }] });
}

interface Publication extends PublishDashboard {
  principal: Principal;
  requestId: string;
  act: Act;
}

/** The record of the published dashboard, and the items that make its version. Throws `PUBLISH_GATE`. */
export async function publication(
  deps: DashboardDeps,
  state: DashboardState,
  command: Publication,
): Promise<{ record: DashboardRecord; version: DashboardVersion; items: TransactItem[] }> {
  const { record: before, content } = state;
  const { principal, requestId, act } = command;
  const found = await deps.checkCards(principal, state.cards);
  const reasons = found.slice(0, MAX_REASONS);
  if (reasons.length > 0 && !command.override) throw new AppError('PUBLISH_GATE', { members: { reasons } });
  const version: DashboardVersion = {
    version: (before.published?.version ?? 0) + 1,
    name: before.name,
    publishedBy: act.by,
    publishedAt: act.at.toISOString(),
    changeNote: command.changeNote ?? null,
    gate: { passed: reasons.length === 0, overridden: reasons.length > 0, reasons },
    overrideReason: command.override ? command.overrideReason! : null,
    counts: countsOf(state),
  };
  const { name, description } = before;
  const { version: number, publishedAt: at, publishedBy: by, counts } = version;
  const record: DashboardRecord = {
    ...before,
    stage: 'production',
    isPublished: true,
    published: {
      version: number,
      at,
      by,
      name,
      description,
      counts,
      edits: content.edits,
      meaning: meaningOfDashboard(state),
    },
    hasOwnChanges: false,
    publishRequest: requestId,
    updatedBy: by,
    updatedAt: later(before.updatedAt, act.at),
  };
  const items = [
    // A version is what its readers get, so it must be a state that existed.
    deps.store.unchangedItem(dashboardPlaceOf(record), content),
    ...deps.versions.items(state, version),
    publishedEvent(deps, record, version),
  ];
  return { record, version, items };
}

function publishedEvent(
  { table }: Pick<DashboardDeps, 'table'>,
  { id: dashboardId, workspaceId, name: dashboardName }: DashboardRecord,
  { version, publishedBy, publishedAt }: DashboardVersion,
): TransactItem {
  const url = `/api/dashboards/${dashboardId}`;
  return outboxItem(table, {
    id: idFrom('dashboard.published', dashboardId, version),
    workspaceId,
    event: 'dashboard.published',
    data: { workspaceId, dashboardId, dashboardName, publishedBy, publishedAt, url },
    at: new Date(publishedAt),
  });
}

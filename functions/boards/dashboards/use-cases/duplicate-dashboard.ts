import {
  type Act,
  contentOf,
  type DashboardParts,
  dashboardPlaceOf,
  type EndedDashboard,
  editedDashboard,
  type NamedDashboard,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { DashboardDetails } from '../schemas.ts';
import { createRecord, type DashboardDeps, inTenMinutes } from './context.ts';
import { createdEvent, newRecord } from './save-dashboard.ts';
import { seenContent } from './seen-content.ts';
import { showDraft } from './views.ts';

const MAX_NAME = 200;
const MAX_COPIES = 100;

/** Throws `DASHBOARD_NOT_FOUND`. */
export async function duplicateDashboard(
  deps: DashboardDeps,
  { principal, id, newId }: NamedDashboard & { newId: string },
): Promise<DashboardDetails> {
  const { name, description, body, parts } = await seenContent(deps, { principal, id });
  const act = { by: principal.userId, at: deps.now() };
  const copy = withNewIds(parts, newId, act);
  const place = { workspaceId: principal.workspaceId, dashboardId: newId };
  // Written before the dashboard, so that readers see all of it; a crash in between leaves parts to the clean-up.
  const ended: EndedDashboard = { kind: 'dashboard', ...place, generation: newId };
  const cleanUp = deps.cleanUpItem(ended, inTenMinutes(act.at));
  await deps.store.prepareGeneration(place, newId, copy, cleanUp);
  for (let number = 1; number <= MAX_COPIES; number += 1) {
    const record = newRecord({ id: newId, ...place, name: copyName(name, number), description }, act);
    const content = contentOf(copy, { generation: newId }, act);
    try {
      const items = [...deps.store.newItems(dashboardPlaceOf(record), body, content), createdEvent(deps, record)];
      await createRecord(deps, record, items, { ...body, ...copy });
      return showDraft(await editedDashboard(deps, { principal, id: newId }));
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'DASHBOARD_NAME_TAKEN')) throw error;
    }
  }
  throw new AppError('DASHBOARD_NAME_TAKEN');
}

function copyName(name: string, number: number): string {
  const prefix = number === 1 ? 'Copy of ' : `Copy ${number} of `;
  return `${prefix}${name}`.slice(0, MAX_NAME).toWellFormed().replaceAll('\ufffd', '');
}

/** The parts with ids of their own, which pages of cards and links of filters follow. */
function withNewIds({ pages, cards, filters }: DashboardParts, seed: string, { by, at }: Act): DashboardParts {
  const time = at.toISOString();
  const stamps = { createdBy: by, updatedBy: by, createdAt: time, updatedAt: time, revision: 1 };
  const copied = (kind: string, id: string) => idFrom(seed, kind, id);
  return {
    pages: pages.map((page) => ({ ...page, ...stamps, id: copied('page', page.id) })),
    cards: cards.map((card) => ({
      ...card,
      ...stamps,
      id: copied('card', card.id),
      pageId: card.pageId === null ? null : copied('page', card.pageId),
    })),
    filters: filters.map((filter) => ({
      ...filter,
      ...stamps,
      id: copied('filter', filter.id),
      linkedCardIds: filter.linkedCardIds.map((id) => copied('card', id)),
    })),
  };
}

import { explorationOf } from '../../../../shared/data/charts/board-cards.ts';
import { hasRows } from '../../../../shared/domains/boards/cards/index.ts';
import { dashboardPage, tokensOf } from '../../../../shared/domains/boards/dashboard-pages/index.ts';
import {
  hasUnpublishedChanges,
  publishedFor,
  type ReaderDeps,
  seenDashboard,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import type { ThemeRepository } from '../../../../shared/domains/boards/themes/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { pageDocument } from '../../../../shared/platform/pages/page-document.ts';
import type { PageFiles } from '../page-files.ts';

export interface ShowDeps extends ReaderDeps {
  themes: Pick<ThemeRepository, 'get' | 'readDefault'>;
  files(): Promise<PageFiles>;
}

interface Command {
  id: string;
  principal: Principal;
  pageId?: string | undefined;
  nonce: string;
}

/**
 * The page of the dashboard as the person sees it. Throws `DASHBOARD_NOT_FOUND`, also if the person may not see the
 * dashboard.
 */
export async function showDashboard(deps: ShowDeps, { id, principal, pageId, nonce }: Command): Promise<string> {
  if (principal.isSuspended || !isPermitted('dashboards:read', principal)) throw new AppError('DASHBOARD_NOT_FOUND');
  const { state, sight } = await seenDashboard(deps, { principal, id });
  const snapshot = await publishedFor(deps, state, sight);
  const { name, description } = snapshot ?? state.record;
  const { theme, timezone } = snapshot ?? state.body;
  const { pages, cards, filters } = snapshot ?? state;
  const [tokens, files] = await Promise.all([tokensOf(deps.themes, principal.workspaceId, theme), deps.files()]);
  const view = dashboardPage({
    path: `/api/d/${id}`,
    name,
    description,
    isDraft:
      snapshot === undefined && (!state.record.isPublished || hasUnpublishedChanges(state.record, state.content)),
    pages,
    cards: cards.map((card) => ({
      ...card,
      hasRows: hasRows(card),
      ...explorationOf(card.chartSpec?.query.source.kind),
      links: card.chartSpec?.config?.links,
    })),
    filters,
    tokens,
    timezone: timezone ?? principal.timezone ?? null,
    pageId,
    reader: principal.name ?? '',
    access: {
      dashboardId: id,
      pageId: pageId ?? null,
      mayShare: sight.permission === 'editor',
      mayLink: isPermitted('shares:manage', principal),
      mayExport: isPermitted('dashboards:export', principal),
    },
  });
  return pageDocument({ ...view, assets: { ...files, script: files.dashboard }, nonce });
}

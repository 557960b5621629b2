import type { ThemeRecord, ThemeRepository } from '../../../../shared/domains/boards/themes/index.ts';
import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { searching } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { CreateTheme, Theme, ThemeListQuery, UpdateTheme } from '../schemas.ts';

interface ThemeDeps {
  themes: ThemeRepository;
  deleteUnused: DeleteUnused;
  now(): Date;
}

interface Named {
  workspaceId: string;
  id: string;
}

export async function listThemes(
  { themes }: ThemeDeps,
  workspaceId: string,
  { search, ...request }: ThemeListQuery,
): Promise<PageOf<Theme>> {
  const [page, chosen] = await Promise.all([
    themes.list(workspaceId, { ...request, matches: searching(search, ({ name }) => [name]) }),
    themes.readDefault(workspaceId),
  ]);
  return { ...page, items: page.items.map((theme) => showTheme(theme, chosen)) };
}

const showTheme = (theme: ThemeRecord, chosen: string | undefined): Theme => ({
  ...theme,
  isDefault: theme.id === chosen,
});

/** Throws `THEME_NAME_TAKEN`. */
export async function createTheme(
  { themes, now }: ThemeDeps,
  { id, principal: { workspaceId, userId }, theme }: { id: string; principal: Principal; theme: CreateTheme },
): Promise<Theme> {
  const at = now().toISOString();
  const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at, revision: 1 };
  return showTheme(await themes.create({ id, workspaceId, ...theme, ...stamps }), undefined);
}

/** Throws `THEME_NOT_FOUND`. */
async function findTheme({ themes }: ThemeDeps, { workspaceId, id }: Named): Promise<ThemeRecord> {
  const theme = await themes.get(workspaceId, id);
  if (!theme) throw new AppError('THEME_NOT_FOUND');
  return theme;
}

export async function getTheme(deps: ThemeDeps, named: Named): Promise<Theme> {
  const [theme, chosen] = await Promise.all([findTheme(deps, named), deps.themes.readDefault(named.workspaceId)]);
  return showTheme(theme, chosen);
}

/** Throws `THEME_NOT_FOUND` or `THEME_NAME_TAKEN`. */
export function updateTheme(
  deps: ThemeDeps,
  { id, principal: { workspaceId, userId }, change }: { id: string; principal: Principal; change: UpdateTheme },
): Promise<Theme> {
  return onNewest('STALE_WRITE', async () => {
    const before = await findTheme(deps, { workspaceId, id });
    const next = { ...before, ...change, updatedBy: userId, updatedAt: later(before.updatedAt, deps.now()) };
    const stored = await deps.themes.replace(before, next, 'STALE_WRITE');
    return showTheme(stored, await deps.themes.readDefault(workspaceId));
  });
}

/** Throws `THEME_NOT_FOUND`, `THEME_IS_DEFAULT`, or `REFERENCED` with its dashboards that the caller sees. */
export function deleteTheme(deps: ThemeDeps, { principal, id }: { principal: Principal; id: string }): Promise<void> {
  const { workspaceId } = principal;
  return deps.deleteUnused({ principal, id }, () => findTheme(deps, { workspaceId, id }), deps.themes.remove);
}

/** Throws `THEME_NOT_FOUND`. */
export async function setDefaultTheme(deps: ThemeDeps, named: Named): Promise<Theme> {
  const theme = await findTheme(deps, named);
  await deps.themes.setDefault(theme);
  return showTheme(theme, theme.id);
}

import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import { deleteUnused } from '../../../shared/domains/upkeep/referrers/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as routes from './routes.ts';
import { createTheme, deleteTheme, getTheme, listThemes, setDefaultTheme, updateTheme } from './use-cases/themes.ts';

const group = openGroup('themes');
const deps = {
  themes: themeRepository(group.table),
  deleteUnused: deleteUnused(group.table, 'theme'),
  now: group.now,
};

export const handler = endpointGroup(
  [
    bind(routes.listThemes, ({ principal: { workspaceId }, query }) => listThemes(deps, workspaceId, query)),
    bind(routes.createTheme, ({ principal, body, newId: id }) => createTheme(deps, { id, principal, theme: body })),
    bind(routes.getTheme, ({ principal: { workspaceId }, params: { id } }) => getTheme(deps, { workspaceId, id })),
    bind(routes.updateTheme, ({ principal, params: { id }, body: change }) =>
      updateTheme(deps, { id, principal, change }),
    ),
    bind(routes.deleteTheme, ({ principal, params: { id } }) => deleteTheme(deps, { principal, id })),
    bind(routes.setDefaultTheme, ({ principal: { workspaceId }, params: { id } }) =>
      setDefaultTheme(deps, { workspaceId, id }),
    ),
  ],
  showingDefinitions(group, 'theme'),
);

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ThemeTokens } from '../../../shared/data/charts/theme.ts';
import { themeName, themeRecord } from '../../../shared/domains/boards/themes/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import { idParams, Page, searchedListQuery } from '../../../shared/platform/http/schemas.ts';

export const ThemeParams = idParams('theme');

export const Theme = Type.Object(
  {
    ...themeRecord,
    ...shownDefinition,
    isDefault: Type.Boolean({
      description: 'Whether clients draw dashboards without a theme of their own with this one.',
    }),
  },
  { $id: 'Theme', description: 'Colors, fonts and corners of dashboards.' },
);
export type Theme = Static<typeof Theme>;
export const ThemePage = Page(Theme);

export const ThemeListQuery = searchedListQuery('themes', { texts: 'name', default: 'name' });
export type ThemeListQuery = Static<typeof ThemeListQuery>;

export const CreateTheme = Type.Object(
  { name: themeName, tokens: ThemeTokens },
  { $id: 'CreateTheme', description: 'A theme.' },
);
export type CreateTheme = Static<typeof CreateTheme>;

export const UpdateTheme = Type.Object(
  { name: Type.Optional(themeName), tokens: Type.Optional(ThemeTokens) },
  { $id: 'UpdateTheme', description: 'The members to change; `tokens` are replaced as a whole.' },
);
export type UpdateTheme = Static<typeof UpdateTheme>;

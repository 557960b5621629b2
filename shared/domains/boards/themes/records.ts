import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ThemeTokens } from '../../../data/charts/theme.ts';
import { Id, Name, Revision, Timestamp } from '../../../platform/http/schemas.ts';

export const themeName = Type.Unsafe<string>({
  ...Name,
  description: 'Unique within the workspace; case does not matter.',
});

export const themeRecord = {
  id: Id,
  workspaceId: Id,
  name: themeName,
  tokens: ThemeTokens,
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};
const ThemeRecord = Type.Object(themeRecord);
export type ThemeRecord = Static<typeof ThemeRecord>;

import * as Type from 'typebox';
import { ThemeTokens } from '../../../../shared/data/charts/theme.ts';
import { themeName } from '../../../../shared/domains/boards/themes/index.ts';
import type { DefinitionKind } from './kind.ts';

export const theme: DefinitionKind = {
  kind: 'theme',
  members: Type.Object({ name: themeName, tokens: ThemeTokens }),
  references: {},
};

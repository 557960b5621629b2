import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const given = {
  name: 'House style',
  tokens: {
    palette: ['#1f77b4', '#ff7f0e', '#2ca02c'],
    fonts: { heading: 'serif', body: 'sans' },
    radius: 8,
    dark: false,
  },
};
const theme = {
  id: IDS.theme,
  workspaceId: IDS.workspace,
  ...given,
  isDefault: false,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listThemes: { reply: page([theme]) },
  createTheme: { request: given, reply: theme },
  getTheme: { reply: theme },
  updateTheme: { request: { name: 'Company' }, reply: { ...theme, name: 'Company', revision: 2 } },
  deleteTheme: {},
  setDefaultTheme: { reply: { ...theme, isDefault: true } },
};

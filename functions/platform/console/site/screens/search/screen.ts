import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [{ path: '/search', title: 'Search', load: () => import('./index.tsx') }];

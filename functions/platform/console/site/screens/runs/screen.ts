import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/runs',
    title: 'Runs',
    load: () => import('./index.tsx'),
    nav: { group: 'run', icon: 'play', key: 'r', order: 2, role: 'editor' },
    product: 'pipelines',
  },
  {
    path: '/runs/:id',
    title: 'Run',
    load: () => import('./run.tsx'),
    parts: () => import('../../ui/graph-layout.ts'),
    shows: 'run',
  },
];

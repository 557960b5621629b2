import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/pipelines',
    title: 'Pipelines',
    load: () => import('./index.tsx'),
    nav: { group: 'run', icon: 'workflow', key: 'p', order: 1, role: 'editor' },
    product: 'pipelines',
  },
  {
    path: '/pipelines/:id',
    title: 'Pipeline',
    load: () => import('./pipeline.tsx'),
    parts: () => import('../../ui/graph-layout.ts'),
    shows: 'pipeline',
  },
  {
    path: '/pipelines/new',
    title: 'New pipeline',
    load: () => import('./editor/index.tsx'),
    parts: () => import('../../ui/graph-layout.ts'),
    role: 'editor',
    product: 'pipelines',
    creates: { label: 'Pipeline', order: 5 },
  },
  {
    path: '/pipelines/:id/edit',
    title: 'Edit a pipeline',
    load: () => import('./editor/index.tsx'),
    parts: () => import('../../ui/graph-layout.ts'),
  },
];

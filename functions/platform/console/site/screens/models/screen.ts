import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/models',
    title: 'Models',
    load: () => import('./index.tsx'),
    nav: { group: 'data', icon: 'boxes', key: 'o', order: 4 },
    role: 'editor',
  },
  {
    path: '/models/new',
    title: 'New model',
    load: () => import('./new.tsx'),
    role: 'editor',
    creates: { label: 'Model', order: 6 },
  },
  { path: '/models/:id', title: 'Model', load: () => import('./model.tsx'), shows: 'model' },
];

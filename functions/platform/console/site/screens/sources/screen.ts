import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/sources',
    title: 'Files & sources',
    load: () => import('./index.tsx'),
    nav: { group: 'data', icon: 'database', key: 'f', order: 1 },
    role: 'editor',
  },
  {
    path: '/sources/new',
    title: 'Connect a source',
    load: () => import('./new.tsx'),
    role: 'admin',
    creates: { label: 'Source', order: 4 },
  },
  { path: '/sources/:id', title: 'Source', load: () => import('./source.tsx'), shows: 'data_source', role: 'editor' },
];

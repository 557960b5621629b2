import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/explore',
    title: 'Explore',
    load: () => import('./index.tsx'),
    nav: { group: 'read', icon: 'chart-column', key: 'e', order: 4 },
  },
  { path: '/explore/:id', title: 'Explore', load: () => import('./model.tsx') },
];

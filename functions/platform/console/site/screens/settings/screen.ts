import type { Screen } from '../../shell/screen.ts';

const load = () => import('./index.tsx');

export const screens: Screen[] = [
  {
    path: '/settings',
    title: 'Settings',
    load,
    nav: { group: 'settings', icon: 'settings', key: ',', order: 1 },
  },
  { path: '/settings/:part', title: 'Settings', load },
  { path: '/settings/:part/:id', title: 'Settings', load },
];

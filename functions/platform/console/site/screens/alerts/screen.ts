import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/alerts',
    title: 'Alerts',
    load: () => import('./index.tsx'),
    nav: { group: 'watch', icon: 'siren', key: 'a', order: 2, role: 'editor' },
  },
  {
    path: '/alerts/new',
    title: 'New alert',
    load: () => import('./new.tsx'),
    creates: { label: 'Alert', order: 8 },
  },
  { path: '/alerts/:id', title: 'Alert', load: () => import('./alert.tsx'), shows: 'alert' },
];

import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/',
    title: 'Home',
    load: () => import('./index.tsx'),
    nav: { group: 'home', icon: 'house', key: 'h', order: 1 },
  },
];

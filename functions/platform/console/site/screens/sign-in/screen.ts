import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  { path: '/sign-in', title: 'Sign in', load: () => import('./index.tsx'), isPublic: true },
];

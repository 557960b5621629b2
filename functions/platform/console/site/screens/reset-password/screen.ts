import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  { path: '/reset-password', title: 'Choose a new password', load: () => import('./index.tsx'), isPublic: true },
];

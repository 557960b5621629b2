import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  { path: '/confirm-email', title: 'Confirm the address', load: () => import('./index.tsx'), isPublic: true },
];

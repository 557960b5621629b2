import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  { path: '/accept-invitation', title: 'Accept the invitation', load: () => import('./index.tsx'), isPublic: true },
];

import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/metrics',
    title: 'Metrics',
    load: () => import('./index.tsx'),
    nav: { group: 'read', icon: 'gauge', key: 'm', order: 3 },
  },
  {
    path: '/metrics/new',
    title: 'New metric',
    load: () => import('./new.tsx'),
    role: 'editor',
    creates: { label: 'Metric', order: 5 },
  },
  { path: '/metrics/digests', title: 'Digests', load: () => import('./digests.tsx') },
  { path: '/metrics/digests/new', title: 'New digest', load: () => import('./new-digest.tsx'), role: 'editor' },
  { path: '/metrics/digests/:id', title: 'Digest', load: () => import('./digest.tsx'), shows: 'digest' },
  { path: '/metrics/:id', title: 'Metric', load: () => import('./metric.tsx'), shows: 'metric' },
];

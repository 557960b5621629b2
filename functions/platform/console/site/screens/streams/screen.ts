import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/streams',
    title: 'Streams',
    load: () => import('./index.tsx'),
    nav: { group: 'run', icon: 'radio', key: 'l', order: 3, role: 'editor' },
    product: 'pipelines',
  },
  {
    path: '/streams/new',
    title: 'New stream',
    load: () => import('./new.tsx'),
    role: 'editor',
    product: 'pipelines',
    creates: { label: 'Stream', order: 6 },
  },
  { path: '/streams/:id', title: 'Stream', load: () => import('./stream.tsx'), shows: 'cdc_stream' },
];

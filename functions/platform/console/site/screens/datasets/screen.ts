import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/datasets',
    title: 'Datasets',
    load: () => import('./index.tsx'),
    nav: { group: 'data', icon: 'table', key: 't', order: 2 },
    product: 'warehouse',
    role: 'editor',
  },
  { path: '/datasets/:id', title: 'Dataset', load: () => import('./dataset.tsx'), shows: 'dataset' },
];

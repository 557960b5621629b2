import type { Screen } from '../../shell/screen.ts';

const load = () => import('./index.tsx');

export const screens: Screen[] = [
  {
    path: '/sql',
    title: 'SQL',
    load,
    parts: () => import('./editor-view.ts'),
    nav: { group: 'data', icon: 'terminal', key: 'q', order: 3 },
    product: 'warehouse',
    role: 'editor',
    creates: { label: 'Query', order: 3 },
  },
  { path: '/sql/:id', title: 'Query', load: () => import('./saved-query.tsx'), shows: 'saved_query' },
];

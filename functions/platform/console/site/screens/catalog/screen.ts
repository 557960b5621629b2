import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/catalog',
    title: 'Catalog',
    load: () => import('./index.tsx'),
    nav: { group: 'data', icon: 'book-open', key: 'c', order: 5, role: 'editor' },
  },
  { path: '/catalog/terms', title: 'Glossary', load: () => import('./terms.tsx') },
  {
    path: '/catalog/terms/new',
    title: 'New term',
    load: () => import('./new-term.tsx'),
    role: 'editor',
    creates: { label: 'Term', order: 8 },
  },
  { path: '/catalog/terms/:id', title: 'Term', load: () => import('./term.tsx'), shows: 'term' },
  { path: '/catalog/:type/:id', title: 'Object', load: () => import('./asset.tsx') },
];

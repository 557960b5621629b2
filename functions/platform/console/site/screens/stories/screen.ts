import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/stories',
    title: 'Stories',
    load: () => import('./index.tsx'),
    nav: { group: 'read', icon: 'book-open', key: 's', order: 2 },
  },
  {
    path: '/stories/new',
    title: 'New story',
    load: () => import('./new.tsx'),
    role: 'editor',
    creates: { label: 'Story', order: 3 },
  },
  { path: '/stories/:id', title: 'Story', load: () => import('./story.tsx') },
];

import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/quality',
    title: 'Quality',
    load: () => import('./index.tsx'),
    nav: { group: 'watch', icon: 'shield-check', key: 'y', order: 1, role: 'editor' },
  },
  {
    path: '/quality/new',
    title: 'New test',
    load: () => import('./new.tsx'),
    role: 'editor',
    creates: { label: 'Quality test', order: 7 },
  },
  { path: '/quality/scans/new', title: 'New scan schedule', load: () => import('./new-scans.tsx'), role: 'editor' },
  { path: '/quality/scans/:id', title: 'Scan schedule', load: () => import('./scan-schedule.tsx'), role: 'editor' },
  { path: '/quality/issues/:id', title: 'Issue', load: () => import('./issue.tsx'), shows: 'quality_issue' },
  { path: '/quality/tests/:id', title: 'Test', load: () => import('./test.tsx'), shows: 'quality_test' },
];

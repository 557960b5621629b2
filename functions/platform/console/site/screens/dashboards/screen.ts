import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/dashboards',
    title: 'Dashboards',
    load: () => import('./index.tsx'),
    nav: { group: 'read', icon: 'layout-dashboard', key: 'd', order: 1 },
  },
  {
    path: '/dashboards/new',
    title: 'New dashboard',
    load: () => import('./new.tsx'),
    role: 'editor',
    creates: { label: 'Dashboard', order: 3 },
  },
  { path: '/dashboards/:id/share', title: 'Share a dashboard', load: () => import('./share.tsx') },
  { path: '/dashboards/reports', title: 'Reports', load: () => import('./reports.tsx') },
  {
    path: '/dashboards/reports/new',
    title: 'New report',
    load: () => import('./new-report.tsx'),
    role: 'editor',
    creates: { label: 'Report', order: 4 },
  },
  { path: '/dashboards/reports/:id', title: 'Report', load: () => import('./report.tsx'), shows: 'report' },
  {
    path: '/dashboards/:id/subscriptions',
    title: 'Subscriptions',
    load: () => import('./subscriptions.tsx'),
  },
  { path: '/dashboards/:id/edit', title: 'Edit a dashboard', load: () => import('./edit.tsx') },
  { path: '/dashboards/:id', title: 'Dashboard', load: () => import('./dashboard.tsx'), shows: 'dashboard' },
];

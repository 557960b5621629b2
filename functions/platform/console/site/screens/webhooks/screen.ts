import type { Screen } from '../../shell/screen.ts';

export const screens: Screen[] = [
  {
    path: '/webhooks',
    title: 'Webhooks',
    load: () => import('./index.tsx'),
    nav: { group: 'watch', icon: 'webhook', key: 'w', order: 3, role: 'editor' },
  },
  {
    path: '/webhooks/new',
    title: 'New webhook',
    load: () => import('./new.tsx'),
    creates: { label: 'Webhook', order: 9 },
  },
  { path: '/webhooks/:id', title: 'Webhook', load: () => import('./webhook.tsx'), shows: 'webhook' },
  { path: '/webhooks/:webhook/:delivery', title: 'Delivery', load: () => import('./delivery.tsx') },
];

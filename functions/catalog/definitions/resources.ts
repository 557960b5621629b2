import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  // Objects are read and changed by the operations of their groups, which check the caller as for every other request.
  invokes: [
    'data-sources',
    'datasets',
    'saved-queries',
    'models',
    'metrics',
    'data-quality',
    'pipelines',
    'pipeline-authoring',
    'dashboards',
    'themes',
    'webhooks',
    'groups',
    'catalog',
    'alerts',
    'blends',
    'reports',
  ],
});

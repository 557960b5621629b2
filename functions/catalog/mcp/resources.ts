import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'read',
  secrets: ['master-secret'],
  // Each tool calls the operations of other groups, which check the caller as for every other request.
  invokes: ['search', 'catalog', 'models', 'questions', 'metrics', 'saved-queries', 'dashboards', 'cards', 'exports'],
});

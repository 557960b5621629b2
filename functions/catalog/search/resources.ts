import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['vectors'] },
  invokes: ['ask-model'],
  sendsTo: ['jobs'],
  settings: ['AI_BASE_URL', 'AI_EMBEDDING_MODEL', 'AI_MODEL', 'AI_PROVIDER'],
  memoryMb: 1536,
});

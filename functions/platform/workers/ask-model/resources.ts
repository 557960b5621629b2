import { defineWorker } from '../../../resources.ts';

/** The only function that talks to the AI provider. It reads neither table nor bucket. */
export const worker = defineWorker({
  name: 'ask-model',
  description: 'Calls the AI provider of the deployment.',
  memoryMb: 512,
  timeoutSeconds: 28,
  secrets: ['ai-key'],
  callsLanguageModel: true,
  settings: ['AI_PROVIDER', 'AI_MODEL', 'AI_EMBEDDING_MODEL', 'AI_BASE_URL', 'ALLOWED_PRIVATE_CIDRS'],
});

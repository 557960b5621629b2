/** Only ever imported dynamically: it stays a file of its own beside the bundle (`infra/build/bundles.ts`). */
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';

/** Imported dynamically only, so that it stays a file of its own beside the bundle (`infra/build/bundles.ts`). */
export { createAnthropic } from '@ai-sdk/anthropic';

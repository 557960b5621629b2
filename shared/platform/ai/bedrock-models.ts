/** Imported dynamically only, so that it stays a file of its own beside the bundle (`infra/build/bundles.ts`). */
export { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';

import type { JsonSchema } from '../ui/json-schema.ts';

/** The build fills it from the declared operations, so that forms always ask for what the API takes. */
export const streamSchemas: { CreateCdcStream?: JsonSchema } = {};

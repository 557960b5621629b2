import type { Static } from 'typebox';
import * as Type from 'typebox';
import { StrictObject } from '../../../platform/http/schemas.ts';

export const S3Config = StrictObject(
  {
    bucket: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    prefix: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'Only files below it are visible, by the rest of their keys.',
      }),
    ),
    region: Type.String({ pattern: '^[a-z0-9-]{1,40}$', default: 'us-east-1' }),
    endpoint: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Address of a service that speaks S3; Amazon when absent.' }),
    ),
  },
  { $id: 'S3Config', description: 'Which bucket to read and write.' },
);
export type S3Config = Static<typeof S3Config>;

export const S3Secrets = StrictObject(
  {
    accessKeyId: Type.String({ minLength: 1, maxLength: 128 }),
    secretAccessKey: Type.String({ minLength: 1, maxLength: 256 }),
    sessionToken: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  },
  { $id: 'S3Secrets', description: 'The access key for the bucket.' },
);
export type S3Secrets = Static<typeof S3Secrets>;

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { StrictObject } from '../../../platform/http/schemas.ts';
import { CaCertificate, Host } from '../connection/config-members.ts';
export const PostgresConfig = StrictObject(
  {
    host: Host,
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 5432 }),
    database: Type.String({ minLength: 1, maxLength: 63 }),
    user: Type.String({ minLength: 1, maxLength: 63 }),
    ssl: Type.Boolean({
      default: true,
      description:
        'Require TLS and verify the certificate. Set it to `false` for a server without TLS in a network that you trust.',
    }),
    caCertificate: Type.Optional(CaCertificate),
  },
  { $id: 'PostgresConfig', description: 'How to connect to a Postgres database.' },
);
export type PostgresConfig = Static<typeof PostgresConfig>;

export const PostgresSecrets = StrictObject(
  { password: Type.String({ maxLength: 1024 }) },
  { $id: 'PostgresSecrets', description: 'The password of the user.' },
);
export type PostgresSecrets = Static<typeof PostgresSecrets>;

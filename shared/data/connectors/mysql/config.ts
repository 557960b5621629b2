import type { Static } from 'typebox';
import * as Type from 'typebox';
import { StrictObject } from '../../../platform/http/schemas.ts';
import { CaCertificate, Host } from '../connection/config-members.ts';
/** MySQL from 8.0 and MariaDB from 10.6 use the same protocol; the server reports which of the two it is. */
export const MysqlConfig = StrictObject(
  {
    host: Host,
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 3306 }),
    database: Type.String({ minLength: 1, maxLength: 64 }),
    user: Type.String({ minLength: 1, maxLength: 80 }),
    ssl: Type.Boolean({
      default: true,
      description: 'Require TLS and verify the certificate, which needs a host name and not an address.',
    }),
    caCertificate: Type.Optional(CaCertificate),
  },
  {
    $id: 'MysqlConfig',
    description: 'How to connect to a MySQL database, 8.0 or later, or to MariaDB, 10.6 or later.',
  },
);
export type MysqlConfig = Static<typeof MysqlConfig>;

export const MysqlSecrets = StrictObject(
  { password: Type.String({ maxLength: 1024 }) },
  { $id: 'MysqlSecrets', description: 'The password of the user.' },
);
export type MysqlSecrets = Static<typeof MysqlSecrets>;

import Type, { type Static } from 'typebox';
import { Closed, Id, Name, Revision, Timestamp } from '../http/schemas.ts';

/** Kinds of data source and the configuration of each. Secrets are write-only and kept apart, sealed. */
export const FileConfig = Closed({}, { $id: 'FileConfig' });

export const PostgresConfig = Closed(
  {
    host: Type.String({ minLength: 1, maxLength: 253 }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 5432 }),
    database: Type.String({ minLength: 1, maxLength: 63 }),
    user: Type.String({ minLength: 1, maxLength: 63 }),
    ssl: Type.Boolean({ default: true, description: 'Require TLS and verify the certificate.' }),
  },
  { $id: 'PostgresConfig' },
);
export type PostgresConfig = Static<typeof PostgresConfig>;

export const PostgresSecrets = Closed({ password: Type.String({ maxLength: 1024 }) }, { $id: 'PostgresSecrets' });
export type PostgresSecrets = Static<typeof PostgresSecrets>;

const common = {
  id: Id,
  workspaceId: Id,
  name: Name,
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export type DataSource = {
  [K in keyof typeof common]: Static<(typeof common)[K]>;
} & ({ type: 'file'; config: Record<string, never> } | { type: 'postgres'; config: PostgresConfig });

/** As stored: the secrets are the sealed text of a JSON object (`shared/crypto/secret-box.ts`). */
export type StoredDataSource = DataSource & { sealedSecrets?: string };

export const dataSourceProperties = common;

/** Where the files of a `file` source lie in the data bucket; the same path again replaces the file. */
export function uploadKey(workspaceId: string, sourceId: string, path: string): string {
  return `W/${workspaceId}/uploads/${sourceId}/${path}`;
}

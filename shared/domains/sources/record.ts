import type { Static } from 'typebox';
import { HttpConfig, HttpSecrets } from '../../data/connectors/http-config.ts';
import { MysqlConfig, MysqlSecrets } from '../../data/connectors/mysql-config.ts';
import { PostgresConfig, PostgresSecrets } from '../../data/connectors/postgres-config.ts';
import { S3Config, S3Secrets } from '../../data/connectors/s3-config.ts';
import { Closed, Id, Name, Nullable, Revision, Timestamp } from '../../platform/http/schemas.ts';
import { Schedule } from '../../platform/schedule/schedule.ts';

export const FileConfig = Closed({}, { $id: 'FileConfig', description: 'Uploaded files need no settings.' });
export const FileSecrets = Closed({}, { $id: 'FileSecrets' });

/** Every kind of data source with its settings, declared once. Secrets are write-only and kept apart, sealed. */
export const SOURCE_TYPES = {
  file: { config: FileConfig, secrets: FileSecrets },
  postgres: { config: PostgresConfig, secrets: PostgresSecrets },
  mysql: { config: MysqlConfig, secrets: MysqlSecrets },
  s3: { config: S3Config, secrets: S3Secrets },
  http: { config: HttpConfig, secrets: HttpSecrets },
} as const;
export type SourceType = keyof typeof SOURCE_TYPES;

/** The settings of a source as they are used: with the secrets opened. */
export type SourceSettings = {
  [T in SourceType]: {
    type: T;
    config: Static<(typeof SOURCE_TYPES)[T]['config']>;
    secrets: Static<(typeof SOURCE_TYPES)[T]['secrets']>;
  };
}[SourceType];
export type SettingsOf<T extends SourceType> = Extract<SourceSettings, { type: T }>;

export const dataSourceProperties = {
  id: Id,
  workspaceId: Id,
  name: Name,
  /** When its catalogue is read again. */
  schedule: Nullable(Schedule),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export type DataSource = {
  [K in keyof typeof dataSourceProperties]: Static<(typeof dataSourceProperties)[K]>;
} & { [T in SourceType]: Pick<SettingsOf<T>, 'type' | 'config'> }[SourceType];

/** As stored: the secrets are the sealed text of a JSON object (`shared/platform/crypto/secret-box.ts`). */
export type StoredDataSource = DataSource & { sealedSecrets?: string };

/** Where the files of a `file` source lie in the data bucket; the same path again replaces the file. */
export function uploadKey(workspaceId: string, sourceId: string, path: string): string {
  return `W/${workspaceId}/uploads/${sourceId}/${path}`;
}

/** Sources that hold files, which are named by a path and not by a table. */
export const holdsFiles = (type: SourceType): type is 'file' | 's3' => type === 'file' || type === 's3';

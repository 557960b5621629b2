import type { Static } from 'typebox';
import { StrictObject } from '../../platform/http/schemas.ts';
import { HttpConfig, HttpSecrets } from './http/config.ts';
import { MysqlConfig, MysqlSecrets } from './mysql/config.ts';
import { PostgresConfig, PostgresSecrets } from './postgres/config.ts';
import { S3Config, S3Secrets } from './s3/config.ts';

export const FileConfig = StrictObject({}, { $id: 'FileConfig', description: 'Uploaded files need no settings.' });

export const FileSecrets = StrictObject({}, { $id: 'FileSecrets' });

/** Settings of every type of data source. Secrets are write-only; they are encrypted and stored separately. */
export const SOURCE_TYPES = {
  file: { config: FileConfig, secrets: FileSecrets },
  postgres: { config: PostgresConfig, secrets: PostgresSecrets },
  mysql: { config: MysqlConfig, secrets: MysqlSecrets },
  s3: { config: S3Config, secrets: S3Secrets },
  http: { config: HttpConfig, secrets: HttpSecrets },
} as const;
export type SourceType = keyof typeof SOURCE_TYPES;

/** The settings of a source with its secrets decrypted. */
export type SourceSettings = {
  [T in SourceType]: {
    type: T;
    config: Static<(typeof SOURCE_TYPES)[T]['config']>;
    secrets: Static<(typeof SOURCE_TYPES)[T]['secrets']>;
  };
}[SourceType];

export type SettingsOf<T extends SourceType> = Extract<SourceSettings, { type: T }>;

import { AddressBlocked } from '../../platform/net/address-guard.ts';
import type { Dial, WebOptions } from './connection/connector.ts';
import type { FileStore } from './connection/file-store.ts';
import { httpFiles } from './http/files.ts';
import { openDatabase } from './open-database.ts';
import { s3Files } from './s3/files.ts';
import type { SettingsOf, SourceSettings } from './source-types.ts';

export interface OpenOptions extends WebOptions {
  /** The deployment's own bucket. It must never be read as a source, whatever keys are given. */
  ownBucket: string;
}

/** A source that can be connected to: a database, or a place with files. */
export type OpenedSource =
  | { kind: 'database'; defaultSchema: string; dial: Dial }
  | { kind: 'files'; store: () => Promise<FileStore> };

/** Prepares access to an external source. Uploaded files are not external. */
export function openSource(settings: Exclude<SourceSettings, { type: 'file' }>, options: OpenOptions): OpenedSource {
  switch (settings.type) {
    case 'postgres':
      return { kind: 'database', defaultSchema: 'public', dial: openDatabase(settings, options) };
    case 'mysql':
      return { kind: 'database', defaultSchema: settings.config.database, dial: openDatabase(settings, options) };
    case 's3':
    case 'http':
      return { kind: 'files', store: () => openFileStore(settings, options) };
  }
}

/** The files of a bucket, or the endpoints of a web service. Throws ADDRESS_BLOCKED. */
export async function openFileStore(settings: SettingsOf<'s3' | 'http'>, options: OpenOptions): Promise<FileStore> {
  if (settings.type === 'http') return httpFiles(settings.config, settings.secrets, options);
  if (settings.config.bucket === options.ownBucket) throw ownBucketError();
  return s3Files(settings.config, settings.secrets, options);
}

export const ownBucketError = () => new AddressBlocked('BLOCKED', 'This bucket may not be read.');

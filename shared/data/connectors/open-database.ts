import type { ConnectOptions, Dial } from './connection/connector.ts';
import { openMysql } from './mysql/catalog.ts';
import { openPostgres } from './postgres/catalog.ts';
import type { SettingsOf } from './source-types.ts';

export type DatabaseType = 'postgres' | 'mysql';

export const isDatabase = <T extends { type: string }>(source: T): source is Extract<T, { type: DatabaseType }> =>
  source.type === 'postgres' || source.type === 'mysql';

/** Returns a function that connects to the database. */
export function openDatabase(settings: SettingsOf<DatabaseType>, options: ConnectOptions): Dial {
  return settings.type === 'postgres'
    ? () => openPostgres(settings.config, settings.secrets, options)
    : () => openMysql(settings.config, settings.secrets, options);
}

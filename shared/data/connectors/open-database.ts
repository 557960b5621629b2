import type { ConnectOptions, Dial } from './connection/connector.ts';
import type { DatabaseType } from './database-types.ts';
import { openMysql } from './mysql/catalog.ts';
import { openPostgres } from './postgres/catalog.ts';
import type { SettingsOf } from './source-types.ts';

/** Returns a function that connects to the database. */
export function openDatabase(settings: SettingsOf<DatabaseType>, options: ConnectOptions): Dial {
  return settings.type === 'postgres'
    ? () => openPostgres(settings.config, settings.secrets, options)
    : () => openMysql(settings.config, settings.secrets, options);
}

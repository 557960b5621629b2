import type { SettingsOf } from '../../domains/sources/record.ts';
import type { ConnectOptions, Dial } from './connector.ts';
import { openMysql } from './mysql-catalog.ts';
import { openPostgres } from './postgres-catalog.ts';

export type DatabaseType = 'postgres' | 'mysql';

export const isDatabase = <T extends { type: string }>(source: T): source is Extract<T, { type: DatabaseType }> =>
  source.type === 'postgres' || source.type === 'mysql';

/** How a database is dialled. */
export function openDatabase(settings: SettingsOf<DatabaseType>, options: ConnectOptions): Dial {
  return settings.type === 'postgres'
    ? () => openPostgres(settings.config, settings.secrets, options)
    : () => openMysql(settings.config, settings.secrets, options);
}

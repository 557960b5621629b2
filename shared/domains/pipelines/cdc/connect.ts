import type { ConnectOptions } from '../../../data/connectors/connection/connector.ts';
import {
  connectPostgres,
  type PostgresSource,
  type PostgresTarget,
  postgresTarget,
} from '../../../data/connectors/postgres/connection.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { type StoredDataSource, unseal } from '../../warehouse/sources/index.ts';

/**
 * The address and credentials of a stream's source. Throws NOT_FOUND if the source is not a Postgres database any more.
 */
export async function targetOf(secrets: SecretBox, source: StoredDataSource | undefined): Promise<PostgresTarget> {
  if (source?.type !== 'postgres') throw new DataError('NOT_FOUND', 'The data source is not a Postgres database.');
  const settings = await unseal(secrets, source);
  if (settings.type !== 'postgres') throw new DataError('NOT_FOUND', 'The data source is not a Postgres database.');
  return postgresTarget(settings.config, settings.secrets);
}

/** Fixes the text form of values, whatever the settings of the server are. */
export const SESSION: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'iso_8601',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
};

/** A source may decode its log for minutes before it answers. */
export const CAPTURE_TIMEOUTS = { connectMs: 15_000, statementMs: 12 * 60 * 1000 };

/** Opens a connection that returns values in the form of change files. */
export async function connectForCapture(target: PostgresTarget, options: ConnectOptions): Promise<PostgresSource> {
  const source = await connectPostgres(target, options);
  const settings = { ...SESSION, statement_timeout: String(Math.round(options.timeouts.statementMs)) };
  const names = Object.keys(settings);
  try {
    await source.query(
      'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting(name, value)',
      [names, Object.values(settings)],
    );
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

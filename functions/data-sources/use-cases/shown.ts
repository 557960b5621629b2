import type { StoredDataSource } from '../../../shared/domains/sources/record.ts';
import type { DataSource } from '../schemas.ts';

/** A source as the API shows it: without its secrets, sealed as they are. One from before there were schedules has none. */
export function shown({ sealedSecrets: _sealed, ...source }: StoredDataSource): DataSource {
  return { ...source, schedule: source.schedule ?? null };
}

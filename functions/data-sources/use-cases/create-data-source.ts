import type { SecretBox } from '../../../shared/crypto/secret-box.ts';
import type { StoredDataSource } from '../../../shared/data-sources/record.ts';
import type { DataSourceRepository } from '../../../shared/data-sources/repository.ts';
import type { Connections } from '../connections.ts';
import type { DataSource, NewDataSource } from '../schemas.ts';
import { shown } from './shown.ts';

/** Secrets are sealed before they are stored; what is stored without them is what every reply shows. */
export async function createDataSource(
  deps: { sources: DataSourceRepository; secrets: SecretBox; connections: Connections; now: () => Date },
  command: { id: string; workspaceId: string; createdBy: string; source: NewDataSource },
): Promise<DataSource> {
  const { id, workspaceId, createdBy, source } = command;
  const at = deps.now().toISOString();
  const common = { id, workspaceId, name: source.name, createdBy, createdAt: at, updatedAt: at, revision: 1 };
  let stored: StoredDataSource;
  if (source.type === 'postgres') {
    await deps.connections.checkHost(source.config.host);
    const sealedSecrets = await deps.secrets.seal(workspaceId, JSON.stringify(source.secrets));
    stored = { ...common, type: 'postgres', config: source.config, sealedSecrets };
  } else {
    stored = { ...common, type: 'file', config: {} };
  }
  return shown(await deps.sources.create(stored));
}

import type { SourceSettings } from '../../../data/connectors/source-types.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { StoredDataSource } from './record.ts';

/** Decrypts the secrets of a stored source. Use the result only to connect; do not store it. */
export async function unseal(secrets: SecretBox, source: StoredDataSource): Promise<SourceSettings> {
  const { type, config, workspaceId, sealedSecrets } = source;
  const opened = sealedSecrets === undefined ? {} : JSON.parse(await secrets.open(workspaceId, sealedSecrets));
  return { type, config, secrets: opened } as SourceSettings;
}

/** The texts that must not appear in any log. */
export const secretTexts = ({ secrets }: SourceSettings): string[] =>
  Object.values(secrets as Record<string, string | Record<string, string> | undefined>)
    .flatMap((secret) => (typeof secret === 'object' ? Object.values(secret) : [secret]))
    .filter((text) => text !== undefined && text !== '') as string[];

import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { SecretRepository } from './repository.ts';

export interface OpenedSecrets {
  values: Record<string, string>;
  /** Names without a secret. */
  missing: string[];
}

/** Decrypts the current values of secrets. Use them at once; do not store them. */
export async function openSecrets(
  { secrets, box }: { secrets: Pick<SecretRepository, 'get'>; box: SecretBox },
  workspaceId: string,
  names: readonly string[],
): Promise<OpenedSecrets> {
  const opened = await Promise.all(
    names.map(async (name) => {
      const secret = await secrets.get(workspaceId, name);
      return [name, secret && (await box.open(workspaceId, secret.sealedValue))] as const;
    }),
  );
  return {
    values: Object.fromEntries(opened.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    missing: opened.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}

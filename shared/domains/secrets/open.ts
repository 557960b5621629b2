import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { SecretRepository } from './repository.ts';

export interface OpenedSecrets {
  values: Record<string, string>;
  /** Names under which nothing is kept. */
  missing: string[];
}

/** Values of these secrets as they are now, each read by its key. They are for the moment of use, not to be kept. */
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

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Licence } from '../../shared/platform/entitlements/licence.ts';
import { publicKeyText, signLicence } from '../../shared/platform/entitlements/licence-file.ts';
import { newId } from '../../shared/platform/storage/ids.ts';

/** The issuers whose keys the deployments of the tests accept: a present one, and one from before a change of keys. */
const ISSUERS = ['1f', '2e'].map((byte) => ed25519(Buffer.from(byte.repeat(32), 'hex')));

export const issuer = (index = 0): KeyObject => ISSUERS[index]!;
export const licencePublicKeys = (): string => ISSUERS.map(publicKeyText).join(',');
export const unknownIssuer = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A licence file for everything, valid from yesterday to tomorrow. */
export function licenceFile(
  companyId: string,
  { key = issuer(), ...change }: Partial<Omit<Licence, 'companyId'>> & { key?: KeyObject } = {},
): Promise<string> {
  return signLicence(
    {
      id: newId(),
      companyId,
      tier: 'enterprise',
      products: ['pipelines', 'warehouse'],
      notBefore: new Date(Date.now() - DAY_MS).toISOString(),
      validUntil: new Date(Date.now() + DAY_MS).toISOString(),
      ...change,
    },
    key,
  );
}

function ed25519(seed: Buffer): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

import { createHmac } from 'node:crypto';
import { MasterSecret } from '../../shared/platform/crypto/master-secret.ts';
import { readMasterSecret } from './master-secret.ts';

/** The digest with which the deployment stores a request that has an idempotency key. */
export async function requestDigest(endpoint: string, { path, text }: { path: string; text: string }): Promise<string> {
  const { version, key } = await new MasterSecret(() => readMasterSecret(endpoint)).derive('idempotency');
  const content = JSON.stringify([path, null, text]);
  return `v${version}.${createHmac('sha256', key).update(content).digest('hex')}`;
}

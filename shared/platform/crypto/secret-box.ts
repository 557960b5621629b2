import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterSecret } from './master-secret.ts';

/**
 * Encrypts secrets (AES-256-GCM) with a key for each owner: the id of a workspace or company, or `user/` and the id of
 * a user. The ciphertext contains the version of the master secret.
 */
export interface SecretBox {
  seal(owner: string, plain: string): Promise<string>;
  /** Throws if the text was encrypted for another owner or was modified. */
  open(owner: string, sealed: string): Promise<string>;
}

export function secretBox(master: MasterSecret): SecretBox {
  const purpose = (owner: string) => `secrets/${owner}`;
  return {
    async seal(owner, plain) {
      const { version, key } = await master.derive(purpose(owner));
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [`v${version}`, nonce, cipher.getAuthTag(), text]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    async open(owner, sealed) {
      const [version, nonce, tag, text] = sealed.split('.');
      if (!version || !nonce || !tag || text === undefined) throw new Error('the text is not an encrypted secret');
      const { key } = await master.derive(purpose(owner), Number(version.slice(1)));
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'));
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
  };
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts the values of SecureString parameters with a key in a file that only its owner can read. */
export class Sealing {
  readonly #key: Buffer;

  constructor(keyFile: string) {
    if (!existsSync(keyFile)) {
      // Renamed into place, so that a crash leaves no partial key.
      writeFileSync(`${keyFile}.new`, randomBytes(32), { mode: 0o600 });
      renameSync(`${keyFile}.new`, keyFile);
    }
    this.#key = readFileSync(keyFile);
  }

  /** Base64 text that only the same `owner` can open. */
  seal(value: string, owner: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Throws when the text was sealed for another owner, with another key, or was changed. */
  open(text: string, owner: string): string {
    const bytes = Buffer.from(text, 'base64');
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}

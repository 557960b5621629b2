/** The public API of this domain; everything else is internal. */
export { openSecrets } from './open-secrets.ts';
export { MAX_SECRET_BYTES, SECRET_NAME, Secret, type StoredSecret } from './record.ts';
export { secretReferences } from './references.ts';
export { type SecretRepository, secretRepository } from './repository.ts';

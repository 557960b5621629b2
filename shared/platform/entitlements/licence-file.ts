import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, errors } from 'jose';
import { AppError } from '../errors/app-error.ts';
import { isLicenceActive, type Licence, TIERS } from './licence.ts';
import { isProduct } from './products.ts';

const TYPE = 'licence+jws';

export async function signLicence(licence: Licence, privateKey: KeyObject): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(licence)))
    .setProtectedHeader({ alg: 'EdDSA', typ: TYPE, kid: keyId(publicKeyText(privateKey)) })
    .sign(privateKey);
}

/**
 * Reads a licence file, without a network. The keys are those of `LICENCE_PUBLIC_KEYS`. Throws `LICENCE_INVALID` for
 * any text that was not signed with one of them exactly as it stands, and `LICENCE_OTHER_COMPANY`,
 * `LICENCE_NOT_YET_VALID`, `LICENCE_EXPIRED`.
 */
export async function verifyLicence(
  text: string,
  { keys, companyId, now }: { keys: readonly string[]; companyId: string; now: Date },
): Promise<Licence> {
  const licence = await readLicence(text, keys);
  if (licence.companyId !== companyId) throw new AppError('LICENCE_OTHER_COMPANY');
  if (now < new Date(licence.notBefore)) throw new AppError('LICENCE_NOT_YET_VALID');
  if (!isLicenceActive(licence, now)) throw new AppError('LICENCE_EXPIRED');
  return licence;
}

/** The raw public key as base64url: the form in which a deployment is given it. */
export function publicKeyText(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'jwk' }).x!;
}

async function readLicence(text: string, keys: readonly string[]): Promise<Licence> {
  // Base64 has spare bits at its end, so other texts decode to the same bytes; only one of them was signed.
  if (!text.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)) throw invalid();
  try {
    const { payload } = await compactVerify(text, (header) => keyOf(header, keys), { algorithms: ['EdDSA'] });
    return licenceOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof SyntaxError || cause instanceof TypeError) {
      throw invalid(cause);
    }
    throw cause;
  }
}

function keyOf({ typ, kid }: { typ?: string; kid?: string }, keys: readonly string[]): KeyObject {
  const x = typ === TYPE ? keys.find((key) => keyId(key) === kid) : undefined;
  if (x === undefined) throw new errors.JWKSNoMatchingKey();
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** A file of a later version of the issuer may name tiers or products that are not known here. */
function licenceOf({ id, companyId, tier, products, notBefore, validUntil }: Licence): Licence {
  const isKnown =
    [id, companyId].every((each) => typeof each === 'string') &&
    TIERS.includes(tier) &&
    Array.isArray(products) &&
    products.every(isProduct) &&
    [notBefore, validUntil].every((each) => typeof each === 'string' && !Number.isNaN(Date.parse(each)));
  if (!isKnown) throw invalid();
  return { id, companyId, tier, products, notBefore, validUntil };
}

/** Names the key in the file, so that a deployment can accept an old and a new key for a while. */
const keyId = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 16);

const invalid = (cause?: unknown) => new AppError('LICENCE_INVALID', { cause });

import { CompactSign, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { publicKeyText, verifyLicence } from '../../../../shared/platform/entitlements/licence-file.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { issuer, licenceFile, unknownIssuer } from '../../../support/licences.ts';

const companyId = newId();
const keys = [issuer(0), issuer(1)].map(publicKeyText);
const verify = (text: string, change: Partial<Parameters<typeof verifyLicence>[1]> = {}) =>
  verifyLicence(text, { keys, companyId, now: new Date(), ...change });

describe('a licence file', () => {
  it('is accepted as it was issued, with the present key and with one from before', async () => {
    for (const key of [issuer(0), issuer(1)]) {
      expect(await verify(await licenceFile(companyId, { key }))).toMatchObject({ companyId, tier: 'enterprise' });
    }
  });

  it('is rejected with any of its characters changed', async () => {
    const text = await licenceFile(companyId);
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    for (let index = 0; index < text.length; index++) {
      // The next character in the alphabet differs in the lowest bits, which the end of a part may not even use.
      const other = ALPHABET[(ALPHABET.indexOf(text[index]!) + 1) % ALPHABET.length];
      const altered = text.slice(0, index) + other + text.slice(index + 1);
      await expect(verify(altered), `at ${index}`).rejects.toMatchObject({ code: 'LICENCE_INVALID' });
    }
    await expect(verify(`${text}A`)).rejects.toMatchObject({ code: 'LICENCE_INVALID' });
    await expect(verify(text.slice(0, -1))).rejects.toMatchObject({ code: 'LICENCE_INVALID' });
  });

  it('is rejected from another issuer, without a signature, and with the key of the deployment as a secret', async () => {
    const text = await licenceFile(companyId);
    const [head, payload] = text.split('.') as [string, string];
    const { kid, typ } = JSON.parse(Buffer.from(head, 'base64url').toString());
    const bytes = Buffer.from(payload, 'base64url');
    const unsecured = new UnsecuredJWT(JSON.parse(bytes.toString())).encode();
    const confused = await new CompactSign(bytes)
      .setProtectedHeader({ alg: 'HS256', kid, typ })
      .sign(Buffer.from(keys[0]!, 'base64url'));
    const ownKid = await new CompactSign(bytes).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(unknownIssuer());
    const otherType = await new CompactSign(bytes)
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt' })
      .sign(issuer());
    for (const forged of [
      unsecured,
      confused,
      ownKid,
      otherType,
      await licenceFile(companyId, { key: unknownIssuer() }),
    ]) {
      await expect(verify(forged)).rejects.toMatchObject({ code: 'LICENCE_INVALID' });
    }
    await expect(verify(text, { keys: [] })).rejects.toMatchObject({ code: 'LICENCE_INVALID' });
  });

  it('is rejected for another company, and before and after its time', async () => {
    const times = { notBefore: '2026-03-01T00:00:00.000Z', validUntil: '2026-04-01T00:00:00.000Z' };
    const text = await licenceFile(companyId, times);
    const at = (now: string) => verify(text, { now: new Date(now) });
    await expect(verify(text, { companyId: newId() })).rejects.toMatchObject({ code: 'LICENCE_OTHER_COMPANY' });
    await expect(at('2026-02-28T23:59:59.999Z')).rejects.toMatchObject({ code: 'LICENCE_NOT_YET_VALID' });
    await expect(at('2026-03-01T00:00:00.000Z')).resolves.toMatchObject(times);
    await expect(at('2026-03-31T23:59:59.999Z')).resolves.toMatchObject(times);
    await expect(at('2026-04-01T00:00:00.000Z')).rejects.toMatchObject({ code: 'LICENCE_EXPIRED' });
  });

  it('is rejected with a tier or a product that this version does not know', async () => {
    const unknown = [
      { tier: 'galactic' },
      { products: ['telepathy'] },
      { products: 'pipelines' },
      { validUntil: 'soon' },
    ];
    for (const change of unknown) {
      await expect(verify(await licenceFile(companyId, change as object))).rejects.toMatchObject({
        code: 'LICENCE_INVALID',
      });
    }
  });
});

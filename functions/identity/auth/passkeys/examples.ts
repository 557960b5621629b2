import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, SIGNED_IN } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const passkey = { id: IDS.passkey, name: 'Laptop', isSynced: true, createdAt: CREATED_AT, lastUsedAt: null };
const options = {
  challenge: 'Zk3Qx0pWc1Rt',
  rpId: 'analytics.example.com',
  userVerification: 'required',
  timeout: 300_000,
};

const credential = { id: 'c3Nob3J0', rawId: 'c3Nob3J0', type: 'public-key', clientExtensionResults: {} };
const assertion = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoi',
    authenticatorData: 'SZYN5YgOjGh0',
    signature: 'MEUCIQDx',
    userHandle: 'MDE5YjJj',
  },
};
const mfaToken = 'eyJhbGciOiJIUzI1NiIsImtpZCI6InYxIn0.eyJhdWQiOiJtZmEifQ.q8ZxNw';

export const passkeyExamples: ExamplesOf<typeof routes> = {
  startPasskey: {
    request: { password: 'correct horse battery staple' },
    reply: { ...options, rp: { name: 'Analytics', id: 'analytics.example.com' } },
  },
  addPasskey: {
    request: {
      name: 'Laptop',
      response: { ...credential, response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9uZQ' } },
    },
    reply: passkey,
  },
  listPasskeys: { reply: { items: [passkey], total: 1 } },
  renamePasskey: { request: { name: 'Phone' }, reply: { ...passkey, name: 'Phone' } },
  removePasskey: {},
  startPasskeySignIn: { reply: options },
  signInWithPasskey: { request: { response: assertion }, reply: SIGNED_IN },
  startPasskeyFactor: { request: { mfaToken }, reply: options },
  verifyPasskeyFactor: { request: { mfaToken, response: assertion }, reply: SIGNED_IN },
};

import { baseUrl } from '../../../../shared/platform/http/base-url.ts';
import { type Binding, bind, bindPublic } from '../../../../shared/platform/http/bind.ts';
import type { RelyingParty } from '../webauthn.ts';
import * as routes from './routes.ts';
import {
  addPasskey,
  listPasskeys,
  type PasskeyDeps,
  passkeyFactorOptions,
  passkeyOptions,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  verifyPasskeyFactor,
} from './use-cases.ts';

/** As configured; without that, the address that the request came to. */
function relyingParty(headers: Record<string, string>): RelyingParty {
  const { PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: origins } = process.env;
  if (rpId && origins) return { rpId, origins: origins.split(',') };
  const { hostname, origin } = new URL(baseUrl(headers));
  return { rpId: hostname, origins: [origin] };
}

const clientOf = ({ sourceIp, headers }: { sourceIp: string; headers: Record<string, string> }) => ({
  sourceIp,
  userAgent: headers['user-agent'],
  rp: relyingParty(headers),
});

export const passkeyBindings = (deps: PasskeyDeps): Binding[] => [
  bind(routes.startPasskey, async ({ principal, body, sourceIp, headers }) => {
    const options = await passkeyOptions(deps, principal, { ...body, sourceIp, rp: relyingParty(headers) });
    return options as { challenge: string };
  }),
  bind(routes.addPasskey, ({ principal, body, headers, newId: id }) =>
    addPasskey(deps, principal, { id, ...body, rp: relyingParty(headers) }),
  ),
  bind(routes.listPasskeys, ({ principal }) => listPasskeys(deps, principal)),
  bind(routes.renamePasskey, ({ principal, params, body }) => renamePasskey(deps, principal, params.id, body.name)),
  bind(routes.removePasskey, ({ principal, params }) => removePasskey(deps, principal, params.id)),
  bindPublic(
    routes.startPasskeySignIn,
    async ({ headers }) => (await passkeySignInOptions(deps, relyingParty(headers))) as { challenge: string },
  ),
  bindPublic(routes.signInWithPasskey, (call) =>
    signInWithPasskey(deps, { ...call.body, ...clientOf(call), sessionId: call.newId }),
  ),
  bindPublic(routes.startPasskeyFactor, async ({ body, headers }) => {
    const options = await passkeyFactorOptions(deps, { ...body, rp: relyingParty(headers) });
    return options as { challenge: string };
  }),
  bindPublic(routes.verifyPasskeyFactor, (call) => verifyPasskeyFactor(deps, { ...call.body, ...clientOf(call) })),
];

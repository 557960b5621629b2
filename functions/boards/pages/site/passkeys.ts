import { send } from './api.ts';

interface WebAuthn {
  parseRequestOptionsFromJSON?(options: unknown): PublicKeyCredentialRequestOptions;
}

/** The browser's reader of options in JSON. Undefined where it has none, or on pages without HTTPS. */
const webAuthn = (globalThis as { PublicKeyCredential?: WebAuthn }).PublicKeyCredential;

/** Passkeys belong to names of hosts, never to addresses of machines. */
export const HAS_PASSKEYS =
  webAuthn?.parseRequestOptionsFromJSON !== undefined && !/^[\d.]+$|:/.test(location.hostname);

/** The challenge, signed by a passkey that the browser offers, or `undefined` if the person chooses none. */
export async function signedChallenge(path: string, body: object = {}): Promise<unknown> {
  const options = await (await send('POST', path, body)).json();
  const publicKey = webAuthn!.parseRequestOptionsFromJSON!(options);
  try {
    const credential = (await navigator.credentials.get({ publicKey })) as { toJSON(): unknown } | null;
    return credential?.toJSON();
  } catch (error) {
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError'))
      return undefined;
    throw error;
  }
}

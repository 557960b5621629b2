interface WebAuthn {
  parseRequestOptionsFromJSON?(options: unknown): PublicKeyCredentialRequestOptions;
}

/** The browser's reader of options in JSON. Undefined where it has none, or on pages without HTTPS. */
const webAuthn = (globalThis as { PublicKeyCredential?: WebAuthn }).PublicKeyCredential;

/** Passkeys belong to names of hosts, never to addresses of machines. */
export const HAS_PASSKEYS =
  webAuthn?.parseRequestOptionsFromJSON !== undefined && !/^[\d.]+$|:/.test(location.hostname);

/**
 * The challenge of the API, signed by a passkey that the browser offers. Throws an error with a sentence for the person
 * if they choose none.
 */
export async function signChallenge(options: unknown): Promise<unknown> {
  const publicKey = webAuthn!.parseRequestOptionsFromJSON!(options);
  try {
    const credential = (await navigator.credentials.get({ publicKey })) as { toJSON(): unknown } | null;
    if (credential) return credential.toJSON();
  } catch (error) {
    const isLeft = error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
    if (!isLeft) throw error;
  }
  throw new Error('No passkey was chosen.');
}

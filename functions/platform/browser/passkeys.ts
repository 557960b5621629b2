interface WebAuthn {
  parseRequestOptionsFromJSON?(options: unknown): PublicKeyCredentialRequestOptions;
  parseCreationOptionsFromJSON?(options: unknown): PublicKeyCredentialCreationOptions;
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
export const signChallenge = (options: unknown): Promise<unknown> =>
  asked('No passkey was chosen.', () =>
    navigator.credentials.get({ publicKey: webAuthn!.parseRequestOptionsFromJSON!(options) }),
  );

/** A new passkey for the challenge of the API. Throws an error with a sentence for the person if they make none. */
export const registerPasskey = (options: unknown): Promise<unknown> =>
  asked('No passkey was made.', () =>
    navigator.credentials.create({ publicKey: webAuthn!.parseCreationOptionsFromJSON!(options) }),
  );

async function asked(none: string, ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = (await ask()) as { toJSON(): unknown } | null;
    if (credential) return credential.toJSON();
  } catch (error) {
    const isLeft = error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
    if (error instanceof DOMException && error.name === 'InvalidStateError') {
      throw new Error('This device has a passkey for your account already.', { cause: error });
    }
    if (!isLeft) throw error;
  }
  throw new Error(none);
}

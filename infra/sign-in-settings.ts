/** Settings of single sign-on and passkeys. */
export interface SignInSettings {
  /**
   * The address of the deployment for browsers, such as `https://analytics.example.com`; empty to use the one that a
   * request came to.
   */
  publicUrl: string;
  /** The pages of applications to which a single sign-on may return. */
  ssoReturnUrls: readonly string[];
  /** The DNS server that is asked for proofs of domains, as `address:port`; empty for the system's. */
  ssoDnsServer: string;
  /** The domain that passkeys belong to, and the origins of the pages that use them; empty for those of the request. */
  passkeys: { rpId: string; origins: readonly string[] };
}

/** Reads them from the environment, with every issue. */
export function signInSettings(environment: NodeJS.ProcessEnv): {
  settings: SignInSettings;
  issues: (string | false)[];
} {
  const {
    PUBLIC_URL: publicUrl = '',
    SSO_RETURN_URLS: returnUrls = '',
    SSO_DNS_SERVER: ssoDnsServer = '',
    PASSKEY_RP_ID: rpId = '',
    PASSKEY_ORIGINS: passkeyOrigins = '',
  } = environment;
  const ssoReturnUrls = listed(returnUrls);
  const origins = listed(passkeyOrigins);
  const issues = [
    publicUrl !== '' &&
      !isOrigin(publicUrl) &&
      `PUBLIC_URL must be an origin such as https://analytics.example.com, not "${publicUrl}".`,
    ...ssoReturnUrls.map(
      (url) =>
        !isPage(url) && `SSO_RETURN_URLS must be pages, by https or on localhost, without a fragment, not "${url}".`,
    ),
    ssoDnsServer !== '' &&
      !/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d{1,5})?$/i.test(ssoDnsServer) &&
      `SSO_DNS_SERVER must be an IP address, with a port after a colon if it is not 53, not "${ssoDnsServer}".`,
    ...origins.map((origin) => !isOrigin(origin) && `PASSKEY_ORIGINS must be origins of pages, not "${origin}".`),
    (rpId !== '') !== origins.length > 0 && 'PASSKEY_RP_ID and PASSKEY_ORIGINS must be set together.',
    !origins.every((origin) => isWithin(origin, rpId)) &&
      `PASSKEY_RP_ID must be the host of every origin in PASSKEY_ORIGINS, or a domain above it, not "${rpId}".`,
  ];
  return { settings: { publicUrl, ssoReturnUrls, ssoDnsServer, passkeys: { rpId, origins } }, issues };
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Secure, or on this machine. */
function isPage(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
}

const isOrigin = (text: string): boolean => isPage(text) && URL.parse(text)?.origin === text;

function isWithin(origin: string, domain: string): boolean {
  const host = URL.parse(origin)?.hostname ?? '';
  return host === domain || host.endsWith(`.${domain}`);
}

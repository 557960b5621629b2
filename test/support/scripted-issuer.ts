import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import { openWebService, sendJson } from './web-service.ts';

export interface ScriptedIssuer {
  url: string;
  /** The key whose public half the issuer publishes. */
  key: KeyObject;
  publicKey: KeyObject;
  /** Bodies of the requests for tokens. */
  exchanged: URLSearchParams[];
  /** What the next request for tokens gets as ID token. */
  idToken: string;
  /** Replaces members of the discovery document. */
  described: Record<string, unknown>;
}

/** An issuer on loopback that publishes one key, and issues the ID tokens of the test: right ones and forged ones. */
export async function openScriptedIssuer(): Promise<ScriptedIssuer> {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const issuer: ScriptedIssuer = { url: '', key, publicKey, exchanged: [], idToken: '', described: {} };
  const service = await openWebService(async ({ pathname }, response, request) => {
    const { url } = issuer;
    if (pathname === '/.well-known/openid-configuration') {
      return sendJson(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...issuer.described,
      });
    }
    if (pathname === '/jwks') {
      return sendJson(response, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }],
      });
    }
    issuer.exchanged.push(new URLSearchParams(await textOf(request)));
    return sendJson(response, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: issuer.idToken });
  });
  issuer.url = service.url;
  return issuer;
}

export interface Token {
  claims: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject | Uint8Array;
}

export const signed = ({ claims, header, key }: Token & { key: KeyObject | Uint8Array }): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key);

/** A token with the algorithm `none`. */
export const unsigned = (claims: object): string =>
  `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

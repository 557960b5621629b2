import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { X509CertificateGenerator } from '@peculiar/x509';
import { IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify';
import { SignedXml } from 'xml-crypto';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

// The requests and metadata come from the platform under test; what they say is checked by the tests.
setSchemaValidator({ validate: async () => 'valid' });

export interface KeyAndCertificate {
  privateKey: string;
  certificate: string;
}

/** A key with a certificate that it has signed itself. */
export async function newCertificate(validity: { notBefore?: Date; notAfter?: Date } = {}): Promise<KeyAndCertificate> {
  const signingAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const keys = (await webcrypto.subtle.generateKey(
    { ...signingAlgorithm, publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned(
    { serialNumber: '01', name: 'CN=Test', keys, signingAlgorithm, ...validity },
    webcrypto as Crypto,
  );
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----`;
  return { privateKey, certificate: certificate.toString('pem') };
}

export interface SamlProvider extends KeyAndCertificate {
  entityId: string;
  ssoUrl: string;
  metadata: string;
  /**
   * What the provider posts for a person, after it has read the request in the address that the browser was sent to.
   * `service` is the platform's metadata.
   */
  respond(location: URL, service: string, email: string, signs?: 'assertion' | 'message'): Promise<string>;
}

export async function newSamlProvider(): Promise<SamlProvider> {
  const key = await newCertificate();
  const entityId = `https://${randomBytes(6).toString('hex')}.idp.example/metadata`;
  const ssoUrl = 'https://idp.example/sso';
  const provider = IdentityProvider({
    entityID: entityId,
    privateKey: key.privateKey,
    signingCert: key.certificate,
    singleSignOnService: [{ Binding: REDIRECT, Location: ssoUrl }],
    nameIDFormat: [EMAIL],
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  });
  return {
    ...key,
    entityId,
    ssoUrl,
    metadata: provider.getMetadata(),
    async respond({ searchParams }, service, email, signs = 'assertion') {
      const isMessage = signs === 'message';
      const metadata = isMessage
        ? service.replace('WantAssertionsSigned="true"', 'WantAssertionsSigned="false"')
        : service;
      const peer = ServiceProvider({ metadata, wantMessageSigned: isMessage });
      const request = await provider.parseLoginRequest(peer, 'redirect', { query: Object.fromEntries(searchParams) });
      const { context } = await provider.createLoginResponse(peer, request as never, 'post', { email });
      return context;
    },
  };
}

/** The XML of the request in an address. */
export const requestIn = ({ searchParams }: URL): string =>
  inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString();

export interface ResponseParts {
  issuer: string;
  audience: string;
  recipient: string;
  destination?: string | undefined;
  inResponseTo?: string | undefined;
  /** Of the confirmation; that of the response when absent. */
  confirms?: string | undefined;
  /** The content of the NameID as XML. */
  subject: string;
  format?: string;
  attributes?: Record<string, readonly string[]>;
  status?: string;
  method?: string;
  id?: string;
  /** Seconds from now. */
  notBefore?: number;
  notOnOrAfter?: number;
  confirmedFor?: number;
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** A response without signatures, as the parts say. */
export function responseXml(parts: ResponseParts): string {
  const {
    issuer,
    destination,
    inResponseTo,
    confirms = inResponseTo,
    format = EMAIL,
    attributes = {},
    status = 'Success',
    method = 'bearer',
    id = `_${randomBytes(8).toString('hex')}`,
    notBefore = -5,
    notOnOrAfter = 60,
    confirmedFor = 60,
  } = parts;
  const attribute = (name: string, value: string | undefined) => (value === undefined ? '' : ` ${name}="${value}"`);
  const statement = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${id}" Version="2.0" IssueInstant="${at(0)}"${attribute('Destination', destination)}${attribute('InResponseTo', inResponseTo)}>` +
    `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${format}">${parts.subject}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData NotOnOrAfter="${at(confirmedFor)}" Recipient="${parts.recipient}"${attribute('InResponseTo', confirms)}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(notBefore)}" NotOnOrAfter="${at(notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `${statement.length > 0 ? `<saml:AttributeStatement>${statement.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion></samlp:Response>`
  );
}

/** Signs the assertion or the whole response. */
export function signedXml(
  xml: string,
  { privateKey, certificate }: KeyAndCertificate,
  what: 'Assertion' | 'Response' = 'Assertion',
  hash: 'sha1' | 'sha256' = 'sha256',
): string {
  const weak = hash === 'sha1';
  const signature = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: weak
      ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
      : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  const path = `//*[local-name(.)='${what}']`;
  signature.addReference({
    xpath: path,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: weak ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signature.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signature.getSignedXml();
}

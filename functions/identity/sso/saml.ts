import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { SamlSettings } from '../../../shared/domains/identity/identity-providers/index.ts';
import { mappedClaims } from './mapped-claims.ts';
import { FLOW_SECONDS, type Flow, type ProvenPerson } from './person.ts';
import { type ResponseEnvelope, responseEnvelope } from './saml-envelope.ts';
import { assertPlainXml } from './xml-limits.ts';

/** How far the clocks of the provider and the platform may differ. */
const CLOCK_SKEW_MS = 60_000;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

type SamlRequest = Pick<Flow, 'callbackUrl' | 'requestId' | 'startedAt'> & {
  audience: string;
  /** The names of the attributes to return. */
  claimNames?: readonly string[];
};

export interface SamlPerson extends ProvenPerson {
  /** The assertion is accepted once until then. */
  assertionId: string;
  expiresAt: Date;
}

/** Where the browser continues with an AuthnRequest. */
export function samlAuthorizationUrl(settings: SamlSettings, request: SamlRequest, state: string): Promise<string> {
  return samlOf(settings, request).getAuthorizeUrlAsync(state, undefined, {});
}

/**
 * The person whom the provider names in a response. The library verifies the signature, that times, audience and
 * request are right, and returns only what was signed; recipient, issuer and the kind of confirmation are checked here,
 * on the same signed content. What the response says around it must be right too.
 */
export async function samlPerson(settings: SamlSettings, request: SamlRequest, response: string): Promise<SamlPerson> {
  const xml = Buffer.from(response, 'base64').toString('utf8');
  assertPlainXml(xml);
  assertEnvelope(responseEnvelope(xml), settings, request);
  const { profile } = await samlOf(settings, request).validatePostResponseAsync({ SAMLResponse: response });
  if (!profile) throw new Error('it has no assertion');
  if (profile.issuer !== settings.entityId) throw new Error(`its issuer is ${profile.issuer}`);
  const assertion = (profile.getAssertion!() as { Assertion: Element }).Assertion;
  assertConfirmed(assertion, request);
  return { ...personOf(settings, profile, request.claimNames ?? []), ...useOf(assertion) };
}

/**
 * An assertion does not count in a response that reports a failure, or of another provider. An issuer may be absent
 * there.
 */
function assertEnvelope(
  { destination, issuers, statuses }: ResponseEnvelope,
  { entityId }: SamlSettings,
  { callbackUrl }: SamlRequest,
): void {
  if (destination !== undefined && destination !== callbackUrl) throw new Error(`it is meant for ${destination}`);
  if (statuses.length !== 1 || statuses[0] !== SUCCESS)
    throw new Error(`its status is ${statuses.join() || 'missing'}`);
  if (issuers.length > 1 || issuers.some((issuer) => issuer !== entityId)) {
    throw new Error(`the issuer of the response is ${issuers.join()}`);
  }
}

/** The platform's own metadata, for the set-up of the provider. */
export function samlServiceMetadata(callbackUrl: string, audience: string): string {
  return `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(audience)}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <AssertionConsumerService index="1" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(callbackUrl)}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
}

function samlOf({ ssoUrl, certificates }: SamlSettings, { callbackUrl, requestId, startedAt, audience }: SamlRequest) {
  const isOurs = (id: string | null) => id === requestId;
  return new SAML({
    entryPoint: ssoUrl,
    issuer: audience,
    audience,
    callbackUrl,
    idpCert: certificates,
    // Either signature will do: providers sign the response, the assertion, or both.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: FLOW_SECONDS * 1000,
    generateUniqueId: () => requestId,
    // The flow is stored elsewhere and taken once; the library only asks whether the request is that of the flow.
    cacheProvider: {
      saveAsync: async (_id, value) => ({ value, createdAt: Date.now() }),
      getAsync: async (id) => (isOurs(id) ? startedAt : null),
      removeAsync: async (id) => id,
    },
  });
}

/** An element as the library returns it. */
interface Element {
  $?: Record<string, string>;
  _?: string;
  [child: string]: Element[] | Record<string, string> | string | undefined;
}

const children = (element: Element | undefined, name: string): Element[] =>
  (element?.[name] as Element[] | undefined) ?? [];

/** The subject must be confirmed for this address and this request: a response for another service does not count. */
function assertConfirmed(assertion: Element, { callbackUrl, requestId }: SamlRequest): void {
  const isConfirmed = children(children(assertion, 'Subject')[0], 'SubjectConfirmation').some((confirmation) => {
    const { Recipient, InResponseTo, NotOnOrAfter } = children(confirmation, 'SubjectConfirmationData')[0]?.$ ?? {};
    return (
      confirmation.$?.Method === BEARER &&
      Recipient === callbackUrl &&
      InResponseTo === requestId &&
      Date.parse(NotOnOrAfter ?? '') + CLOCK_SKEW_MS > Date.now()
    );
  });
  if (!isConfirmed) throw new Error('no bearer confirmation is for this address and request');
}

function useOf(assertion: Element): Pick<SamlPerson, 'assertionId' | 'expiresAt'> {
  const assertionId = assertion.$?.ID;
  if (!assertionId) throw new Error('the assertion has no id');
  const times = children(children(assertion, 'Subject')[0], 'SubjectConfirmation')
    .flatMap((confirmation) => children(confirmation, 'SubjectConfirmationData'))
    .map((data) => Date.parse(data.$?.NotOnOrAfter ?? ''))
    .filter((time) => !Number.isNaN(time));
  return { assertionId, expiresAt: new Date(Math.max(...times) + CLOCK_SKEW_MS) };
}

function personOf(settings: SamlSettings, profile: Profile, claimNames: readonly string[]): ProvenPerson {
  const attributes = (profile.attributes ?? {}) as Record<string, unknown>;
  const texts = (name: string | null): string[] => {
    if (name === null || !Object.hasOwn(attributes, name)) return [];
    const value = attributes[name];
    return (Array.isArray(value) ? value : [value])
      .filter((each) => typeof each === 'string')
      .map((each) => each.trim());
  };
  const { subjectAttribute, emailAttribute, nameAttribute, groupsAttribute } = settings;
  if (subjectAttribute === null && profile.nameIDFormat === TRANSIENT) {
    throw new Error('a transient NameID does not identify anyone');
  }
  const subject = subjectAttribute === null ? profile.nameID?.trim() : texts(subjectAttribute)[0];
  if (!subject) throw new Error('it does not identify the subject');
  return {
    subject,
    email: emailAttribute === null ? profile.nameID?.trim() : texts(emailAttribute)[0],
    isEmailVerified: true,
    name: texts(nameAttribute)[0],
    groups: texts(groupsAttribute),
    claims: mappedClaims(claimNames, attributes),
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

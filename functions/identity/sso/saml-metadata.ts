import { X509Certificate } from 'node:crypto';
import { SaxesParser } from 'saxes';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export interface SamlMetadata {
  entityId: string;
  ssoUrl: string;
  certificates: string[];
}

/** What the metadata of one identity provider says about its sign-ins. Throws if anything is missing. */
export function readSamlMetadata(xml: string): SamlMetadata {
  assertNoDocumentType(xml);
  const parser = new SaxesParser({ xmlns: true });
  const found = { entityIds: [] as string[], ssoUrl: undefined as string | undefined, certificates: new Set<string>() };
  let isSigningKey = false;
  let isProvider = false;
  let text = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const value = (name: string) => attributes[name]?.value;
    text = '';
    if (uri !== METADATA) return;
    if (local === 'EntityDescriptor') found.entityIds.push(value('entityID') ?? '');
    if (local === 'IDPSSODescriptor') isProvider = true;
    if (local === 'KeyDescriptor') isSigningKey = isProvider && value('use') !== 'encryption';
    if (local === 'SingleSignOnService' && isProvider && value('Binding') === REDIRECT)
      found.ssoUrl ??= value('Location');
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ local, uri }) => {
    if (uri === DSIG && local === 'X509Certificate' && isSigningKey) found.certificates.add(pemOf(text));
    if (uri === METADATA && local === 'KeyDescriptor') isSigningKey = false;
    if (uri === METADATA && local === 'IDPSSODescriptor') isProvider = false;
  });
  parser.write(xml).close();
  const { entityIds, ssoUrl, certificates } = found;
  if (entityIds.length !== 1 || !entityIds[0]) throw new Error('it must describe exactly one identity provider');
  if (!ssoUrl) throw new Error('it has no single sign-on address for the redirect binding');
  if (certificates.size === 0) throw new Error('it has no signing certificate');
  return { entityId: entityIds[0], ssoUrl, certificates: [...certificates].slice(0, 5) };
}

/** Metadata is not verified by its signature, so that one may be of any kind; comments are usual in it. */
function assertNoDocumentType(xml: string): void {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('it has a document type');
}

/** A certificate in any of the usual notations, as PEM. Throws if it is not one. */
export function pemOf(text: string): string {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s/g, '');
  return new X509Certificate(Buffer.from(base64, 'base64')).toString().trim();
}

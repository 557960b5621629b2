import { SaxesParser } from 'saxes';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';

/** What a SAML response says around its assertion; a signature of the assertion does not cover it. */
export interface ResponseEnvelope {
  destination: string | undefined;
  issuers: string[];
  /** The values of the top status codes. */
  statuses: string[];
}

/** Throws unless the root is a response. Limits are checked before. */
export function responseEnvelope(xml: string): ResponseEnvelope {
  const parser = new SaxesParser({ xmlns: true });
  const envelope: ResponseEnvelope = { destination: undefined, issuers: [], statuses: [] };
  /** The open elements, from the root on. */
  const path: string[] = [];
  let text = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    path.push(`${uri} ${local}`);
    text = '';
    const place = path.join('/');
    if (path.length === 1) {
      if (place !== RESPONSE) throw new Error('it is not a SAML response');
      envelope.destination = attributes.Destination?.value;
    }
    if (place === STATUS) envelope.statuses.push(attributes.Value?.value ?? '');
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', () => {
    if (path.join('/') === ISSUER) envelope.issuers.push(text.trim());
    path.pop();
  });
  parser.write(xml).close();
  return envelope;
}

const RESPONSE = `${PROTOCOL} Response`;
const STATUS = `${RESPONSE}/${PROTOCOL} Status/${PROTOCOL} StatusCode`;
const ISSUER = `${RESPONSE}/${ASSERTION} Issuer`;

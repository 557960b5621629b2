import { SaxesParser } from 'saxes';

const MAX_DEPTH = 60;
const MAX_ELEMENTS = 20_000;

/** Algorithms that a signature may use; others are broken, or would take a certificate for a shared secret. */
const ALGORITHMS: Record<string, RegExp> = {
  SignatureMethod: /#(rsa-sha(256|384|512)|ecdsa-sha(256|384|512)|sha(256|384|512)-rsa-mgf1)$/,
  DigestMethod: /#sha(256|384|512)$/,
};

/**
 * Rejects XML that SAML has no use for and attacks have: document types with their entities, comments, processing
 * instructions, weak signatures and endless nesting. It trusts nothing that it reads: what the rest means, the SAML
 * library finds out. Throws.
 */
export function assertPlainXml(xml: string): void {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  let depth = 0;
  let elements = 0;
  const refuse = (what: string) => () => {
    throw new Error(`the XML has ${what}`);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', refuse('a document type'));
  parser.on('comment', refuse('a comment'));
  parser.on('processinginstruction', refuse('a processing instruction'));
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    elements += 1;
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) refuse('too many elements')();
    const allowed = ALGORITHMS[name.replace(/^.*:/, '')];
    if (allowed && !allowed.test(attributes.Algorithm ?? '')) refuse(`the algorithm ${attributes.Algorithm}`)();
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(xml).close();
}

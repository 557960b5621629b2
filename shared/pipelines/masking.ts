const MASK = '******';
const LEAST_LENGTH = 4;

/**
 * Replaces secrets in texts that people read. A secret is also found in the forms it takes on its way: base64, URL-encoded,
 * as a JSON string, hexadecimal, in upper and lower case.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= LEAST_LENGTH).flatMap(formsOf));
  // The longest first, so that a form inside of another does not leave the rest of it behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  return [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
  ].filter((form) => form.length >= LEAST_LENGTH);
}

/** Pages load scripts, data and pictures from their own origin alone, and no other page may frame them. */
const OWN_ORIGIN = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

export const GUIDE_POLICY = [...OWN_ORIGIN, "style-src 'self'", "img-src 'self'"].join('; ');

/** The viewer makes style elements and attributes of its own, and shows pictures that it made or received as data. */
export const REFERENCE_POLICY = [...OWN_ORIGIN, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:"].join(
  '; ',
);

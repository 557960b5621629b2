/** Pages load scripts, data and images from their own origin only, and cannot be framed by other pages. */
const OWN_ORIGIN = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

export const GUIDE_POLICY = [...OWN_ORIGIN, "style-src 'self'", "img-src 'self'"].join('; ');

/** The viewer creates style elements and attributes, and shows images that it generated or received as data. */
export const REFERENCE_POLICY = [...OWN_ORIGIN, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:"].join(
  '; ',
);

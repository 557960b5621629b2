const BYTES = 32;

/** A secret in the form of Standard Webhooks, as the platform makes them. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))}`;

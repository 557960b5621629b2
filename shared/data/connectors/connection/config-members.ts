import * as Type from 'typebox';

export const Host = Type.String({ minLength: 1, maxLength: 253 });

export const CaCertificate = Type.String({
  maxLength: 65_536,
  pattern: '^\\s*-----BEGIN CERTIFICATE-----',
  description: 'PEM of the authority that signed the certificate, where it is not a public one.',
});

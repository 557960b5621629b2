import * as Type from 'typebox';

/** What the person who approves a program reads of it. */
export const ProgramName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{C}]*$',
  description: 'What the person who approves it reads, such as the name of the program and of the computer.',
});

/** From 1000 on: the system gives out no lower ones. */
const PORT = '([1-9][0-9]{3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

/** The computer of the browser itself, by number: a name may lead elsewhere (RFC 8252, 7.3 and 8.3). */
export const LoopbackAddress = Type.String({
  maxLength: 100,
  pattern: `^http://127\\.0\\.0\\.1:${PORT}/[A-Za-z0-9_-]*$`,
  description: 'The address where the program waits for the browser, such as `http://127.0.0.1:49152/callback`.',
});

/** What a program asks for that opens a browser on its own computer (RFC 8252, RFC 7636). */
export const PROGRAM_REQUEST = {
  clientName: Type.Optional(ProgramName),
  redirectUri: LoopbackAddress,
  codeChallenge: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'The SHA-256 of a random verifier that the program keeps, in base64url (PKCE, S256).',
  }),
  state: Type.String({
    pattern: '^[A-Za-z0-9_-]{16,128}$',
    description: 'A random text that the browser brings back, by which the program knows its own sign-in.',
  }),
};

/** What approval gives to a program, in a sentence. */
export const PROGRAM_GRANTS =
  'The program can then read and change everything that you can in this workspace and your other workspaces, until you sign it out.';

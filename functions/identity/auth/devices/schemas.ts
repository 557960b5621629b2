import type { Static } from 'typebox';
import * as Type from 'typebox';
import { LoopbackAddress, PROGRAM_REQUEST, ProgramName } from '../../../../shared/domains/identity/sessions/index.ts';
import { Nullable, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const StartDeviceSignIn = Type.Object(
  {
    clientName: Type.Optional(ProgramName),
  },
  { $id: 'StartDeviceSignIn', description: 'A program that asks to be signed in.' },
);

export const DeviceCode = Type.Object(
  {
    deviceCode: Type.String({ description: 'The secret with which the program asks for the tokens.' }),
    userCode: Type.String({ description: 'The code to show to the person, such as `WDJB-MJHT`.' }),
    verificationUri: Type.String({ description: 'The page where the person enters the `userCode`.' }),
    expiresInSeconds: Type.Integer({ description: 'How long both codes are valid.' }),
    intervalSeconds: Type.Integer({ description: 'The minimum time between two requests for the tokens.' }),
  },
  { $id: 'DeviceCode', description: 'The codes of a sign-in by device (RFC 8628).' },
);
export type DeviceCode = Static<typeof DeviceCode>;

export const RedeemDeviceCode = Type.Object(
  { deviceCode: Type.String({ minLength: 1, maxLength: 100 }) },
  { $id: 'RedeemDeviceCode', description: 'The secret of the program that asks to be signed in.' },
);

export const UserCode = Type.Object(
  {
    userCode: Type.String({
      minLength: 8,
      maxLength: 20,
      description: 'The code that the program shows, in upper or lower case, with or without the hyphen.',
    }),
  },
  { $id: 'DeviceUserCode', description: 'The code of a program that asks to be signed in.' },
);

export const DeviceRequestView = Type.Object(
  {
    userCode: Type.String(),
    clientName: Nullable(Type.String({ description: 'What the program calls itself. Anyone can choose any name.' })),
    sourceIp: Type.String({ description: 'The address from which the program asks.' }),
    userAgent: Nullable(Type.String({ description: 'The `User-Agent` header of the program.' })),
    isSameNetwork: Type.Boolean({ description: 'Whether the program asks from the address of the caller.' }),
    requestedAt: Timestamp,
    expiresAt: Timestamp,
    grants: Type.String({ description: 'What approval gives to the program, in a sentence.' }),
    warning: Type.String({ description: 'When not to approve, to show before the person decides.' }),
  },
  { $id: 'DeviceRequest', description: 'A program that asks to be signed in, for the person who decides.' },
);
export type DeviceRequestView = Static<typeof DeviceRequestView>;

export const BrowserSignIn = Type.Object(PROGRAM_REQUEST, {
  $id: 'BrowserSignIn',
  description: 'A program on the computer of the browser that asks to be signed in.',
});
export type BrowserSignIn = Static<typeof BrowserSignIn>;

export const ApprovedSignIn = Type.Object(
  {
    redirectTo: Type.String({
      description:
        'Where the browser takes the code: the `redirectUri` with `code`, which works for a minute, and `state`.',
    }),
  },
  { $id: 'ApprovedBrowserSignIn', description: 'The way back to the program.' },
);
export type ApprovedSignIn = Static<typeof ApprovedSignIn>;

export const RedeemSignInCode = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 100, description: 'The code that the browser has brought.' }),
    codeVerifier: Type.String({
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description: 'The verifier whose challenge was approved.',
    }),
    redirectUri: LoopbackAddress,
  },
  { $id: 'RedeemSignInCode', description: 'The code of a sign-in by browser, and what it was approved for.' },
);
export type RedeemSignInCode = Static<typeof RedeemSignInCode>;

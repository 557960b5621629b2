import { SignedIn } from '../../../../shared/domains/identity/sessions/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  ApprovedSignIn,
  BrowserSignIn,
  DeviceCode,
  DeviceRequestView,
  RedeemDeviceCode,
  RedeemSignInCode,
  StartDeviceSignIn,
  UserCode,
} from './schemas.ts';

export const startDeviceSignIn = defineRoute({
  operationId: 'startDeviceSignIn',
  method: 'POST',
  path: '/api/auth/device',
  summary: 'Start a sign-in by device',
  description:
    'For programs without a browser, such as a command line (RFC 8628). Show `userCode` and `verificationUri` to the person, then ask `POST /api/auth/device/token` for the tokens. The number of requests is limited for each IP address.',
  permission: 'public',
  body: StartDeviceSignIn,
  optionalBody: true,
  success: { status: 200, body: DeviceCode },
  errors: ['TOO_MANY_ATTEMPTS'],
});

export const redeemDeviceCode = defineRoute({
  operationId: 'redeemDeviceCode',
  method: 'POST',
  path: '/api/auth/device/token',
  summary: 'Get the tokens of a device',
  description:
    'Replies `AUTHORIZATION_PENDING` until a person has decided. A program that asks again before `intervalSeconds` have passed gets `SLOW_DOWN`, and has to wait five seconds longer from then on. The device code works once.',
  permission: 'public',
  body: RedeemDeviceCode,
  success: { status: 200, body: SignedIn },
  errors: ['AUTHORIZATION_PENDING', 'SLOW_DOWN', 'ACCESS_DENIED', 'EXPIRED_TOKEN'],
  audit: 'user.signed_in',
});

const decision = { permission: 'session:end', body: UserCode } as const;

export const findDeviceSignIn = defineRoute({
  operationId: 'findDeviceSignIn',
  method: 'POST',
  path: '/api/auth/device/find',
  summary: 'Get what a device asks for',
  description:
    'Returns which program asks to be signed in with this code, from which address, and what approval gives to it. The number of wrong codes is limited for each person.',
  ...decision,
  success: { status: 200, body: DeviceRequestView },
  errors: ['USER_CODE_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
});

export const approveDeviceSignIn = defineRoute({
  operationId: 'approveDeviceSignIn',
  method: 'POST',
  path: '/api/auth/device/approve',
  summary: 'Accept a sign-in by device',
  description:
    'Signs the program in as the caller, in the current workspace. Approve only a program that you have started yourself. The sign-in is listed by `GET /api/auth/sessions`, and ends with `DELETE /api/auth/sessions/{id}`. API keys cannot approve.',
  ...decision,
  success: { status: 204 },
  errors: ['USER_CODE_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
  audit: 'session.device_approved',
});

export const denyDeviceSignIn = defineRoute({
  operationId: 'denyDeviceSignIn',
  method: 'POST',
  path: '/api/auth/device/deny',
  summary: 'Reject a sign-in by device',
  description: 'The program that asks gets `ACCESS_DENIED`, and no tokens.',
  ...decision,
  success: { status: 204 },
  errors: ['USER_CODE_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
  audit: 'session.device_denied',
});

export const approveBrowserSignIn = defineRoute({
  operationId: 'approveBrowserSignIn',
  method: 'POST',
  path: '/api/auth/browser/approve',
  summary: 'Accept a sign-in by browser',
  description:
    'For the page that a program opens on the same computer (RFC 8252). Signs the program in as the caller, in the current workspace: the browser takes the code to the program, which alone can use it. Approve only a program that you have started yourself. The sign-in is listed by `GET /api/auth/sessions`. API keys cannot approve. The number of approvals is limited for each person.',
  permission: 'session:end',
  body: BrowserSignIn,
  success: { status: 200, body: ApprovedSignIn },
  errors: ['TOO_MANY_ATTEMPTS'],
  audit: 'session.device_approved',
});

export const redeemSignInCode = defineRoute({
  operationId: 'redeemSignInCode',
  method: 'POST',
  path: '/api/auth/browser/token',
  summary: 'Get the tokens of a sign-in by browser',
  description:
    'For a program that has opened `/api/d/connect` in a browser, and got a code at its `redirectUri`. The code works once, also with a wrong `codeVerifier`, and for a minute. The number of requests is limited for each IP address.',
  permission: 'public',
  body: RedeemSignInCode,
  success: { status: 200, body: SignedIn },
  errors: ['SIGN_IN_CODE_INVALID', 'ACCESS_DENIED', 'TOO_MANY_ATTEMPTS'],
  audit: 'user.signed_in',
});

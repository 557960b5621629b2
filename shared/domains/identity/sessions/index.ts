/** The public API of this domain; everything else is internal. */
export { beginSession, type Client } from './begin-session.ts';
export {
  type CheckDeps,
  type ContinueDeps,
  checkCookie,
  continueSession,
  prolongSession,
} from './continue-session.ts';
export { publicUser, sessionEnd, signedIn } from './issue-session.ts';
export { LoopbackAddress, PROGRAM_GRANTS, PROGRAM_REQUEST, ProgramName } from './program-sign-in.ts';
export { newRefreshToken, parseRefreshToken } from './refresh-token.ts';
export { SignedIn, User } from './schemas.ts';
export { type SessionChain, sessionChain } from './session-chain.ts';
export {
  type Joined,
  type Membership,
  type SecondFactorUse,
  type Session,
  type SessionStore,
  type SignInMethod,
  sessionStore,
} from './session-store.ts';
export { isListed, type SignInFailures, signInFailures } from './sign-in-failures.ts';

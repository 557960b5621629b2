/** The public API of this domain; everything else is internal. */
export { beginSession, type Client } from './begin-session.ts';
export { publicUser, sessionEnd, signedIn } from './issue-session.ts';
export { newRefreshToken, parseRefreshToken } from './refresh-token.ts';
export { SignedIn, User } from './schemas.ts';
export {
  type Joined,
  type Membership,
  type Session,
  type SessionStore,
  type SignInMethod,
  sessionStore,
} from './session-store.ts';

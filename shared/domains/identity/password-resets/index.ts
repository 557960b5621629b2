/** The public API of this domain; everything else is internal. */
export { type PasswordReset, type PasswordResets, passwordResets, RESET_MINUTES } from './password-resets.ts';
export { newResetToken, parseResetToken } from './reset-token.ts';

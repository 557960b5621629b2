import type { Claims } from '../../../shared/domains/identity/identity-providers/index.ts';

/** A person as an identity provider has described and proven them. */
export interface ProvenPerson {
  /** Identifies the person at the provider for good. */
  subject: string;
  email: string | undefined;
  /** Undefined if the provider does not say. */
  isEmailVerified: boolean | undefined;
  /** The Google Workspace domain of the person. */
  hostedDomain?: string | undefined;
  name: string | undefined;
  groups: string[];
  /** The claims that the provider maps to attributes of people. */
  claims: Claims;
}

/** What the browser was sent away with, stored until it comes back. */
export interface Flow {
  companyId: string;
  providerId: string;
  callbackUrl: string;
  /** The page of the application, its PKCE challenge, and its own state. */
  returnTo: string;
  challenge: string;
  clientState?: string;
  /** For OpenID Connect. */
  nonce: string;
  verifier: string;
  /** For SAML: the id of the request. */
  requestId: string;
  startedAt: string;
}

/** A sign-in that the application has not picked up yet. */
export interface PendingSession {
  userId: string;
  companyId: string;
  providerId: string;
  challenge: string;
  signInEpoch?: string;
}

export const FLOW_SECONDS = 10 * 60;
export const CODE_SECONDS = 60;

export const SSO_REFUSALS = {
  access_denied: 'The identity provider denied the sign-in.',
  SSO_RESPONSE_INVALID: 'The reply of the identity provider could not be verified.',
  SSO_PROVIDER_FAILED: 'The identity provider did not answer as expected.',
  SSO_EMAIL_MISSING: 'The identity provider sent no email address. Ask an admin of your company.',
  SSO_EMAIL_CONFUSABLE:
    'Your email address at the identity provider has characters that can be taken for others. Ask an admin of your company to correct it.',
  SSO_ACCESS_DENIED: 'You have no access. Ask an admin of your company.',
  SSO_ACCOUNT_CONFLICT:
    'Your email address is linked to another identity at the provider. Ask an admin of your company.',
} as const;

/** A sign-in that ends at the application with an error. Only the cause, which is logged, has details. */
export class SsoRefusal extends Error {
  readonly code: keyof typeof SSO_REFUSALS;

  constructor(code: keyof typeof SSO_REFUSALS, cause?: unknown) {
    super(SSO_REFUSALS[code], { cause });
    this.name = 'SsoRefusal';
    this.code = code;
  }
}

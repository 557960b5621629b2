import type { ErrorTable } from '../error-kind.ts';

export const WORKSPACE_ERRORS = {
  // API keys, workspaces
  TOO_MANY_API_KEYS: ['conflict', 'The workspace already has 500 API keys. Revoke one first.'],
  API_KEY_OF_ANOTHER: [
    'forbidden',
    'The key acts for another person, so only that person may rotate it. Create a key of your own, or one for a service account.',
  ],
  SERVICE_ACCOUNT_NOT_FOUND: [
    'notFound',
    'The workspace has no such service account. List them with GET /api/service-accounts.',
  ],
  SERVICE_ACCOUNT_NAME_TAKEN: [
    'conflict',
    'Another service account has this name; case does not matter. Choose a different one.',
  ],
  TOO_MANY_SERVICE_ACCOUNTS: ['conflict', 'The workspace already has 100 service accounts. Delete one first.'],
  API_KEY_NOT_FOUND: ['notFound', 'The workspace has no such API key. List them with GET /api/api-keys.'],
  MEMBER_NOT_FOUND: ['notFound', 'The workspace has no such member. List them with GET /api/workspaces/members.'],
  MEMBER_EXISTS: ['conflict', 'This person is already a member. Change the role of the member instead.'],
  EMAIL_TAKEN: [
    'conflict',
    'No account can be created with this email address. Invite the person, or use another address.',
  ],
  EMAIL_UNCONFIRMED: [
    'conflict',
    'The email address of this account was changed and has not been confirmed yet. Ask the person to confirm it.',
  ],
  WORKSPACE_DELETED: [
    'forbidden',
    'The workspace is deleted. A company admin can restore it until everything is erased; see GET /api/company/workspaces.',
  ],
  WORKSPACE_NOT_FOUND: [
    'notFound',
    'The company has no such workspace, or it is being erased. List them with GET /api/company/workspaces.',
  ],
  COMPANY_DELETED: [
    'conflict',
    'The company is deleted, so no workspace can be created or restored in it. Restore it first with POST /api/company/restore.',
  ],
  TOO_MANY_WORKSPACES: [
    'conflict',
    'The company already has 1,000 workspaces. Use an existing one, or delete one: it counts until it is erased.',
  ],
  WORKSPACE_EXPORT_NOT_READY: [
    'conflict',
    'The export is still running, failed, or was cancelled, so it has no file. See its `status`.',
  ],
  COMPANY_ERASED: [
    'conflict',
    'The company is being erased and can no longer be restored. Ask the operator whether there is a backup.',
  ],
  NAME_NOT_CONFIRMED: [
    'unprocessable',
    'The value of `confirm` is not the current name. Send the exact name of what you want to delete.',
  ],
  COMPANY_MEMBER_NOT_FOUND: ['notFound', 'The company has no such person. List them with GET /api/company/members.'],
  COMPANY_MEMBER_INACTIVE: [
    'conflict',
    'The person is deactivated and cannot become a company admin. Reactivate the person through SCIM first.',
  ],
  PASSWORD_OF_ANOTHER: [
    'conflict',
    'An admin of a workspace has chosen the password of this account and may know it. Let the person reset it by email or sign in through single sign-on first.',
  ],
  LAST_COMPANY_ADMIN: [
    'conflict',
    'A company needs at least one company admin who can sign in to a workspace. Make another person a company admin first, and let that person sign in.',
  ],
  INVITATION_NOT_FOUND: [
    'notFound',
    'The workspace has no such invitation. List them with GET /api/workspaces/invitations.',
  ],
  INVITATION_EXISTS: [
    'conflict',
    'This address already has an invitation. Send it again with POST /api/workspaces/invitations/{id}/resend.',
  ],
  TOO_MANY_INVITATIONS: [
    'tooMany',
    'A workspace sends at most five invitations a day to one address, and at most a hundred an hour in all. Wait for the time in Retry-After.',
  ],
  OWN_SECOND_FACTOR: [
    'conflict',
    'This is your own second factor. Turn it off with POST /api/auth/mfa/disable, or ask another company admin.',
  ],
  LAST_ADMIN: ['conflict', 'A workspace needs at least one admin. Make another member an admin first.'],

  // Groups
  GROUP_NOT_FOUND: ['notFound', 'The workspace has no such group. List them with GET /api/groups.'],
  GROUP_NAME_TAKEN: ['conflict', 'Another group has this name; case does not matter. Choose a different one.'],
  GROUP_EXTERNAL_ID_TAKEN: ['conflict', 'Another group has this external id. Change or remove it there first.'],

  // Provisioning (SCIM), also in the form that RFC 7644 prescribes
  SCIM_TOKEN_NOT_FOUND: ['notFound', 'The company has no such SCIM token. List them with GET /api/scim/tokens.'],
  SCIM_TOKEN_LIMIT: ['conflict', 'The workspace already has two SCIM tokens, which is the maximum. Delete one first.'],
  SCIM_RESOURCE_NOT_FOUND: ['notFound', 'There is no such resource. Search for it with a filter.'],
  SCIM_INVALID_FILTER: [
    'invalid',
    'The filter is invalid or not supported. Compare one of the documented attributes with eq.',
  ],
  SCIM_INVALID_SYNTAX: ['invalid', 'The body is not a valid SCIM message. Correct what `detail` names.'],
  SCIM_INVALID_PATH: ['invalid', 'The path of an operation is invalid. Correct what `detail` names.'],
  SCIM_INVALID_VALUE: ['invalid', 'A value is missing or invalid. Correct what `detail` names.'],
  SCIM_NO_TARGET: ['invalid', 'An operation has no target. Give it a path.'],
  SCIM_MUTABILITY: ['invalid', 'The attribute is read-only. Remove it from the request.'],
  SCIM_UNIQUENESS: ['conflict', 'Another resource has this value. Change it there, or use another one.'],

  // Secrets
  SECRET_NOT_FOUND: ['notFound', 'The workspace has no such secret. List them with GET /api/secrets.'],
  TOO_MANY_SECRETS: ['conflict', 'The workspace already has 100 secrets. Delete one first.'],
} as const satisfies ErrorTable;

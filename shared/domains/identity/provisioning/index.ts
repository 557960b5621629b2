/** The public API of this domain; everything else is internal. */
export { profileKey } from './keys.ts';
export type { Profile, ProvisionedUser, Provisioner, ScimToken, WantedUser } from './records.ts';
export { scimResource } from './scim-resource.ts';
export { type AuthenticateProvisioner, newScimToken, provisionerOf, type ScimTokens, scimTokens } from './tokens.ts';
export { type Part, type UserItems, userItems } from './user-items.ts';
export { isSameName, isShownActive, type ProvisionedUsers, provisionedUsers } from './users.ts';

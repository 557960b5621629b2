import type { ProvisionedUser } from './records.ts';
import { isShownActive } from './users.ts';

type Members = Record<string, unknown>;

/**
 * The resource of a user as stored: that of the profile, or for people who were added by hand what is known of them.
 */
export function scimResource({ user, profile }: ProvisionedUser): Members {
  const stored: Members = profile
    ? { ...profile.resource }
    : {
        displayName: user.name,
        name: nameParts(user.name),
        emails: [{ value: user.email, type: 'work', primary: true }],
        active: true,
      };
  return {
    userName: user.email,
    ...stored,
    // An identity provider may remove the attribute; the user then stays as active as before.
    ...('active' in stored ? { active: isShownActive(user) } : {}),
    ...(profile?.externalId ? { externalId: profile.externalId } : {}),
  };
}

/** Identity providers that read users need both names; of one that has a single word, both are that word. */
function nameParts(name: string): Members {
  const words = name.trim().split(/\s+/);
  const [familyName, givenName = familyName] = [words.at(-1)!, words.slice(0, -1).join(' ') || undefined];
  return { formatted: name, givenName, familyName };
}

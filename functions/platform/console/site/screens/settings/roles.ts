import type { Role } from '../../data/me.ts';

/** What a role may do, as people choose it. */
export const ROLES: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: sees what is shared with them',
  editor: 'Editor: also builds and changes',
  admin: 'Admin: also manages people, sources and keys',
};

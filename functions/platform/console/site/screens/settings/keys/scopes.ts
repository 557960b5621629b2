export const SCOPES = {
  read: 'Read',
  'read/write': 'Read and write, as editors do',
  admin: 'Admin: also sources, sharing and groups',
} as const;

export type Scope = keyof typeof SCOPES;

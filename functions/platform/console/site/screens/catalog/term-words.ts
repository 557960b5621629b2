export const STATUSES = ['draft', 'in_review', 'approved', 'deprecated'] as const;

export const statusText = (status: string): string => status.replaceAll('_', ' ');

/** How a related term stands to this one, in the order of the page. */
export const RELATIONS = {
  broader: 'Broader',
  narrower: 'Narrower',
  related: 'Related',
  replacedBy: 'Replaced by',
  replaces: 'Replaces',
} as const;
export type Relation = keyof typeof RELATIONS;

/** What a linked object is to the term. */
export const ROLES = { means: 'is what it means', measuredBy: 'measures it', about: 'is about it' } as const;

import type { Principal } from './principal.ts';

/** The kinds of objects that an API key can be limited to. */
export const RESOURCE_TYPES = [
  'data-source',
  'dataset',
  'pipeline',
  'saved-query',
  'metric',
  'dashboard',
  'report',
  'story',
] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** Whether the list of an API key includes the object. A caller without a list reaches everything. */
export function reaches(
  { resources }: Pick<Principal, 'resources'>,
  wantedType: ResourceType | undefined,
  wantedId: string | undefined,
): boolean {
  return !resources || resources.some(({ type, id }) => type === wantedType && id === wantedId);
}

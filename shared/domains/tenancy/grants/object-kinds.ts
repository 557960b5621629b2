/**
 * The kinds of objects that can be granted: where they are in the API, and their levels, each of which includes those
 * before it.
 */
export const OBJECT_KINDS = {
  'saved-query': { path: '/api/saved-queries', levels: ['viewer', 'editor'] },
  model: { path: '/api/models', levels: ['viewer', 'editor'] },
  dashboard: { path: '/api/dashboards', levels: ['viewer', 'editor'] },
  report: { path: '/api/reports', levels: ['viewer', 'editor'] },
  story: { path: '/api/stories', levels: ['viewer', 'commenter', 'contributor', 'editor'] },
  metric: { path: '/api/metrics', levels: ['viewer', 'editor'] },
  blend: { path: '/api/composite-models', levels: ['viewer', 'editor'] },
} as const satisfies Record<string, { path: `/api/${string}`; levels: readonly [string, ...string[]] }>;

export type ObjectType = keyof typeof OBJECT_KINDS;
export type LevelOf<T extends ObjectType> = (typeof OBJECT_KINDS)[T]['levels'][number];

/**
 * For a route that callers without the role may use on an object that was granted to them. `param` is the parameter of
 * the path with the id of the object.
 */
export const grantOn = <T extends ObjectType>(
  type: T,
  level: LevelOf<T>,
  param = 'id',
): { type: T; level: LevelOf<T>; param: string } => ({ type, level, param });

/** Whether the level is the wanted one or a higher one. */
export function includesLevel(type: ObjectType, level: string | undefined, wanted: string): boolean {
  const levels: readonly string[] = OBJECT_KINDS[type].levels;
  return level !== undefined && levels.indexOf(level) >= levels.indexOf(wanted);
}

/** The maps that the platform has: countries of the world, and states of the USA with the District of Columbia. */
export const GEOGRAPHIES = ['countries', 'us-states'] as const;
export type Geography = (typeof GEOGRAPHIES)[number];

/** The address of the script, which the build writes here. */
declare const MORE_ADDRESS: string;

/** What few readers need, such as forms. Throws if the server cannot be reached. */
export const loadMore = (): Promise<typeof import('./more.ts')> => import(MORE_ADDRESS);

import type { SiteFiles } from '../../../shared/platform/http/site-files.ts';

/** The addresses of the files that the build placed beside the bundle. */
export interface ConsoleFiles {
  icon: string;
  icons: string;
  style: string;
  theme: string;
  script: string;
  /** What the script imports. */
  preload: readonly string[];
  /** What each screen loads when it is opened, by the name of its folder. */
  screens: Readonly<Record<string, { scripts: readonly string[]; style?: string }>>;
}

export const readConsoleFiles = async (site: SiteFiles): Promise<ConsoleFiles> =>
  JSON.parse((await site.read('files.json')).bytes.toString('utf8')) as ConsoleFiles;

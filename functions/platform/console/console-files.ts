import type { SiteFiles } from '../../../shared/platform/http/site-files.ts';

interface ScreenFiles {
  scripts: readonly string[];
  style?: string;
}

/** The addresses of the files that the build placed beside the bundle. */
export interface ConsoleFiles {
  icon: string;
  icons: string;
  style: string;
  /** Runs before the first paint, and asks the API first; see `site/shell/early.ts`. */
  early: string;
  script: string;
  /** The style sheets of screens, by the names of their folders. */
  styles: Readonly<Record<string, string>>;
  /** What each screen loads when it is opened, by its path, such as `/runs/:id`. */
  screens: Readonly<Record<string, ScreenFiles>>;
}

export const readConsoleFiles = async (site: SiteFiles): Promise<ConsoleFiles> =>
  JSON.parse((await site.read('files.json')).bytes.toString('utf8')) as ConsoleFiles;

import { spawn } from 'node:child_process';

/** The address is an argument of its own and begins with http, so that it is never read as an option or a command. */
export function openInBrowser(address: string, { platform }: NodeJS.Process): void {
  const [program, ...options] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const opened = spawn(program!, [...options, address], { stdio: 'ignore', detached: true });
  // The address stands in the terminal for machines without a browser.
  opened.on('error', () => undefined);
  opened.unref();
}

/** Where the pages and operations of a platform are. */
export const apiAddress = (url: string): string => url.replace(/\/+$/, '').replace(/(\/api)?$/, '/api');

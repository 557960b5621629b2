import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import packageLock from '../../package-lock.json' with { type: 'json' };

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');
const VERSION = packageLock.packages['node_modules/@sparticuz/chromium'].version;

/** Another Chromium to test with, where the package has none for the machine. */
const OTHER = process.env.CHROMIUM_PATH;

/** The npm package has a Chromium for Linux on x64. */
export const HAS_CHROMIUM = OTHER !== undefined || (process.platform === 'linux' && process.arch === 'x64');

/** A headless Chromium without network access of its own accord. Close it after the test. */
export async function launchChromium(): Promise<Browser> {
  if (OTHER) return chromium.launch({ executablePath: OTHER });
  const folder = await unpackedChromium();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    } as Record<string, string>,
  });
}

/**
 * The package holds the browser compressed. It is unpacked once, with the libraries and fonts that a machine may lack.
 */
async function unpackedChromium(): Promise<string> {
  const folder = join(CACHE, `chromium-${VERSION}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const building = await mkdtemp(`${folder}-`);
  const unpack = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: import.meta.dirname,
    // It unpacks into the temporary folder, and the libraries only for Lambda.
    env: { ...process.env, TMPDIR: building, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  await writeFile(join(building, 'fonts.conf'), fontsConf(folder));
  try {
    await rename(building, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    await rm(building, { recursive: true });
  }
  return folder;
}

const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

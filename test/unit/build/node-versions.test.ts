import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const { subset } = createRequire(import.meta.url)('semver') as { subset(range: string, of: string): boolean };

const ROOT = join(import.meta.dirname, '../../..');

interface Manifest {
  engines: { node: string };
}

it('every package accepts the versions of Node.js that `engines` names, so that `npm ci` prints no warning', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Partial<Manifest>>;
  };
  const refusing = Object.entries(lock.packages).filter(
    ([, manifest]) => manifest.engines?.node && !subset(engines.node, manifest.engines.node),
  );
  expect(refusing.map(([path, manifest]) => `${path} needs ${manifest.engines!.node}`)).toEqual([]);
});

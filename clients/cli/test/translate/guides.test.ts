import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';

const ROOT = join(import.meta.dirname, '../../../..');
const PROGRAM = join(ROOT, 'clients/cli/dist/analytics.js');

/** Blocks with the name of a file: what a guide begins with, and what it shows as made. */
function filesOf(guide: string): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs', guide), 'utf8');
  return new Map([...text.matchAll(/```\w+ (\S+)\n([\s\S]*?)```/g)].map(([, name, content]) => [name!, content!]));
}

it.each([
  ['dbt', []],
  ['lightdash', []],
  ['cube', ['--name', 'Shop']],
  ['metabase', []],
])('the guide for %s shows what is made of its example', (tool, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = filesOf(`coming-from-${tool}.md`);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  write('in/dbt_project.yml', 'name: shop\n');
  const made = [...files].filter(([name]) => name.startsWith('out/'));
  for (const [name, content] of files)
    if (/\.ya?ml$/.test(name) && !name.startsWith('out/')) write(`in/${name}`, content);
  const args = [PROGRAM, 'translate', tool, 'in', '--out', 'out', ...options];
  const printed = execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(made.length).toBeGreaterThan(0);
  // The guides have the quotes of their formatter.
  const plain = (text: string) => stringify(parse(text));
  for (const [name, content] of made)
    expect(plain(readFileSync(join(folder, name), 'utf8')), name).toBe(plain(content));
  expect(printed.replaceAll(/^✓.*\n/gm, '')).toBe(files.get('report'));
});

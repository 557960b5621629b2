import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EVENTS } from '../../../../shared/domains/events/events/catalogue.ts';
import { DRIVERS, type Driver } from './snippet-drivers.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const guide = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');

/** The code below a heading. */
function snippetOf(heading: string, fence: string): string {
  const section = guide.split(`\n### ${heading}\n`)[1] ?? '';
  return new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\`\`\``).exec(section)![1]!;
}

const isAtHand = ({ probe: [command, ...args] }: Driver) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const AT_HAND = Object.entries(DRIVERS).filter(([, driver]) => isAtHand(driver));
const MISSING = Object.keys(DRIVERS).filter((name) => !AT_HAND.some(([found]) => found === name));

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = '01a1fdb3-4c1f-8a57-9c1e-2f6d1f0f7c11';
const BODY = '{"event":"webhook.test","data":{"webhookName":"Grüße 😀 \\n \\"x\\""}}';
const ago = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

interface Case {
  what: string;
  verifies: boolean;
  /** Whether the plain comparison of the shell can tell. */
  plain?: false;
  secret?: string;
  timestamp?: string;
  id?: string;
  signature?: string;
  previous?: string;
  body?: string | Buffer;
}

function signature(timestamp: string, id = ID, body: string | Buffer = BODY, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${id}.`).update(body).digest('hex')}`;
}

/** Made when asked for: they are about the present moment. */
function cases(): (Case & { timestamp: string })[] {
  const now = ago(1);
  const good = signature(now);
  const binary = Buffer.from([0, 255, 10, 13, 0, 128]);
  const all: Case[] = [
    { what: 'what we sent', verifies: true },
    { what: 'any bytes', verifies: true, body: binary, signature: signature(now, ID, binary) },
    { what: 'an empty body', verifies: true, body: '', signature: signature(now, ID, '') },
    { what: 'a changed body', verifies: false, body: BODY.replace('test', 'tess') },
    { what: 'a body with a line end more', verifies: false, body: `${BODY}\n` },
    { what: 'another delivery id', verifies: false, id: ID.replace('0', '1') },
    { what: 'another timestamp', verifies: false, timestamp: ago(2), signature: good },
    { what: 'another secret', verifies: false, secret: 'another' },
    { what: 'a secret in Unicode', verifies: true, secret: 'sëcret', signature: signature(now, ID, BODY, 'sëcret') },
    { what: 'no signature', verifies: false, signature: '' },
    { what: 'half a signature', verifies: false, signature: good.slice(0, 40) },
    { what: 'a signature and more', verifies: false, signature: `${good}0` },
    { what: 'a signature without its scheme', verifies: false, signature: good.slice(7) },
    { what: 'a signature beyond ASCII', verifies: false, signature: good.replace('=', '＝') },
    { what: 'four minutes ago', verifies: true, timestamp: ago(240), signature: signature(ago(240)) },
    { what: 'six minutes ago', verifies: false, plain: false, timestamp: ago(360), signature: signature(ago(360)) },
    { what: 'in six minutes', verifies: false, plain: false, timestamp: ago(-360), signature: signature(ago(-360)) },
    { what: 'a time in words', verifies: false, plain: false, timestamp: 'now', signature: signature('now') },
    { what: 'no time', verifies: false, plain: false, timestamp: '', signature: signature('') },
    {
      what: 'the secret before',
      verifies: true,
      plain: false,
      signature: signature(now, ID, BODY, 'b'),
      previous: good,
    },
    { what: 'neither secret', verifies: false, plain: false, signature: 'sha256=0', previous: 'sha256=1' },
  ];
  return all.map((one) => ({ timestamp: now, ...one }));
}

const asLine = ({ secret = SECRET, timestamp = '', id = ID, body = BODY, ...one }: Case) =>
  [
    secret,
    timestamp,
    id,
    one.signature ?? signature(timestamp),
    one.previous ?? '',
    Buffer.from(body).toString('base64'),
  ].join('\t');

/** Writes the program, builds it where that is needed, then gives it the cases. */
function run({ files, run: commands }: Driver, snippet: string, input: () => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files(snippet))) writeFileSync(join(folder, name), text);
  for (const [command, ...args] of commands.slice(0, -1)) execFileSync(command, args, { cwd: folder });
  const [command, ...args] = commands.at(-1)!;
  return execFileSync(command, args, { cwd: folder, input: input(), encoding: 'utf8' });
}

describe('docs/webhooks.md', () => {
  it.each(AT_HAND)('verifies what we sent and nothing else, in %s', (name, driver) => {
    let reported: Case[] = [];
    const output = run(driver, snippetOf(name, driver.fence), () => {
      reported = cases().filter(({ plain }) => name !== 'Shell' || plain !== false);
      return `${reported.map(asLine).join('\n')}\n`;
    });
    const found = output.trim().split('\n');
    expect(reported.map(({ what }, i) => `${what}: ${found[i]}`)).toEqual(
      reported.map(({ what, verifies }) => `${what}: ${verifies}`),
    );
  });

  it(`has code of every language${MISSING.length > 0 ? `; not run on this machine: ${MISSING.join(', ')}` : ''}`, () => {
    for (const [name, { fence }] of Object.entries(DRIVERS)) expect(snippetOf(name, fence).length).toBeGreaterThan(200);
    expect(AT_HAND.map(([name]) => name)).toContain('Node.js');
  });

  it('shows a signature that is one', () => {
    const given = signature('1700000000', ID, '{"event":"webhook.test"}');
    for (const part of [SECRET, ID, '`1700000000`', given]) expect(guide).toContain(part);
  });

  it.each(Object.entries(EVENTS))('describes what %s has', (name, { when, data }) => {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? '';
    expect(row).toContain(when);
    const members = [...row.split('|')[3]!.matchAll(/`(\w+)`/g)].map(([, member]) => member);
    expect(['workspaceId', ...members].sort()).toEqual(Object.keys(data.properties).sort());
  });

  it.each([
    ['outbound', /"event": "webhook.test"/],
    ['outbound-chat', /"blocks"/],
  ])('shows a sample of events/%s as it is', (folder, mark) => {
    const shown = [...guide.matchAll(/```json\n([\s\S]*?)```/g)]
      .map(([, json]) => json!)
      .find((json) => mark.test(json))!;
    const sample = readFileSync(join(ROOT, 'events', folder, 'webhook.test.json'), 'utf8');
    expect(JSON.parse(shown)).toEqual(JSON.parse(sample));
  });
});

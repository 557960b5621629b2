import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HiddenTexts, maskedJson, masker } from '../../../../shared/platform/crypto/masking.ts';

describe('masking', () => {
  it('hides a secret in every form that it takes on its way', () => {
    const secret = 'p@ss "word" äöü/+';
    const mask = masker([secret]);
    const forms = [
      secret,
      secret.toUpperCase(),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      Buffer.from(secret).toString('hex'),
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ];
    for (const form of forms) expect(mask(`before ${form} after`)).toBe('before ****** after');
  });

  it('hides what is left of a long secret that was cut off, whatever else begins alike', () => {
    const [one, other] = [`sk-live-0123456789-${'a'.repeat(80)}`, `sk-live-0123456789-${'b??>'.repeat(20)}`];
    const mask = masker([one, other]);
    const base64url = Buffer.from(other).toString('base64url');
    for (const text of [one.slice(0, 70), other.slice(0, 70), `${one}${other}`, base64url.slice(0, 90), base64url]) {
      expect(mask(`"${text}`)).toMatch(/^"(\*{6})+$/);
    }
  });

  it('hides each line of a secret that has several', () => {
    const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB'];
    const mask = masker([`${lines.join('\r\n')}\n`]);
    for (const line of lines) expect(mask(`> ${line}`)).toBe('> ******');
  });

  it('hides what becomes known after texts were masked', () => {
    const hidden = new HiddenTexts();
    expect(hidden.mask('first, second')).toBe('first, second');
    hidden.add('first');
    expect(hidden.mask('first, second')).toBe('******, second');
    hidden.add('second');
    expect(hidden.mask('first, second')).toBe('******, ******');
  });

  it('keeps JSON valid, whatever the secret looks like', () => {
    const secret = '","b":1},{';
    const rows = JSON.stringify([
      [`x${secret}y`, 1.5, { [secret]: null }],
      ['plain', 'a\\"', true],
    ]);
    expect(JSON.parse(maskedJson(rows, masker([secret])))).toEqual([
      ['x******y', 1.5, { '******': null }],
      ['plain', 'a\\"', true],
    ]);
  });

  it('hides the lines of the longest secret in a preview full of rows, and leaves the rest as it is', () => {
    const lines = Array.from({ length: 1900 }, (_, line) =>
      createHash('md5').update(`${line}`).digest('hex').slice(16),
    );
    const texts = Array.from({ length: 30_000 }, (_, row) => `v${row}`);
    const mask = masker([lines.join('\n')]);
    expect(JSON.parse(maskedJson(JSON.stringify([...texts, lines[700], `<${lines[0]}>`]), mask))).toEqual([
      ...texts,
      '******',
      '<******>',
    ]);
  });

  it('leaves texts alone that are too short to be a secret', () => {
    expect(masker(['abc'])('abcdef')).toBe('abcdef');
  });
});

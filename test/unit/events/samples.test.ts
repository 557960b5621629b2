import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../../shared/events/catalogue.ts';
import { faultsOf } from '../../support/conformance.ts';

const folder = join(import.meta.dirname, '../../../events/outbound');

describe('samples of outbound events', () => {
  it('has one of each event that is emitted', () => {
    expect(
      readdirSync(folder)
        .map((file) => file.replace(/\.json$/, ''))
        .sort(),
    ).toEqual(Object.keys(EVENTS).sort());
  });

  it.each(Object.entries(EVENTS))('shows %s as its schema says', (name, schema) => {
    const sample = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(Object.keys(sample)).toEqual(['event', 'timestamp', 'data']);
    expect(sample.event).toBe(name);
    expect(faultsOf(schema, sample.data)).toBe('');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES, EVENTS, envelopeSchema } from '../../../shared/domains/events/events/catalogue.ts';
import { issuesOf } from '../../support/conformance.ts';

const folder = join(import.meta.dirname, '../../../events/outbound');

/** As promised to those who subscribe. */
const PROMISED = [
  'alert.fired',
  'digest.sent',
  'source.sync_failed',
  'metric.anomaly_detected',
  'model.created',
  'model.published',
  'dashboard.created',
  'dashboard.published',
  'dashboard.deleted',
  'report.deleted',
  'report.delivered',
  'pipeline.run_failed',
  'usage.budget_exceeded',
  'access.granted',
  'access.revoked',
  'compute.queue_stuck',
  'compute.vm_unreachable',
  'compute.provision_failing',
  'webhook.test',
];
/** Members that the payload adds. */
const OURS = [
  'story.shared',
  'cdc.stream_failing',
  'webhook.disabled',
  'quality.issue_opened',
  'quality.issue_resolved',
];

describe('the catalogue of events', () => {
  it('has every promised event, and what we add', () => {
    expect([...EVENT_NAMES].sort()).toEqual([...PROMISED, ...OURS].sort());
  });

  it.each(Object.entries(EVENTS))('keeps the data of %s thin', (_name, { data }) => {
    const bounded = (schema: object): void => {
      const { type, properties, items, maxItems, anyOf } = schema as Record<string, never> & { anyOf?: object[] };
      if (type === 'array') expect(maxItems).toBeLessThanOrEqual(100);
      for (const inner of [...Object.values<object>(properties ?? {}), ...(items ? [items] : []), ...(anyOf ?? [])])
        bounded(inner);
    };
    bounded(data);
  });
});

describe('samples of outbound events', () => {
  it('has one of each event', () => {
    const samples = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
    expect(samples.sort()).toEqual([...EVENT_NAMES].sort());
  });

  it.each(EVENT_NAMES)('shows %s as its schema says, with every member that it may have', (name) => {
    const sample = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(issuesOf(envelopeSchema(name), sample)).toBe('');
    expect(Object.keys(sample)).toEqual(['event', 'timestamp', 'data']);
    expect(Object.keys(sample.data).sort()).toEqual(Object.keys(EVENTS[name].data.properties).sort());
  });
});

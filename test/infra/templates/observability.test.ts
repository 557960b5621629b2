import { beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, type Stacks } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('size and alarms', () => {
  it('stays below the 500 resources that a stack may have', () => {
    for (const resources of Object.values(stacks)) expect(Object.keys(resources).length).toBeLessThan(320);
  });

  it('has alarms for a failing API, for every dead-letter queue, for machines and for functions that crash', () => {
    const alarms = ofType(stacks.observability, 'AWS::CloudWatch::Alarm');
    const ids = alarms.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
    const errors = [
      'DeliverWebhook',
      'Engine',
      'EraseDeleted',
      'EvaluateAlerts',
      'FanOutEvents',
      'JoinSides',
      'MinuteTick',
      'RunJob',
      'RunStep',
      'SendReports',
    ].map((name) => `${name}Errors`);
    const deadLetters = [
      'Alerts',
      'Captures',
      'Deliveries',
      'Jobs',
      'Mails',
      'Outbox',
      'Reports',
      'Targets',
      'Work',
    ].map((name) => `${name}DeadLetters`);
    const machines = ['Run', 'Step'].map((name) => `${name}MachineFailures`);
    expect(ids.sort()).toEqual(['ApiFaults', ...errors, ...deadLetters, ...machines].sort());
    const queues = ofType(stacks.runtime, 'AWS::SQS::Queue').filter(([, { Properties }]) => !Properties.RedrivePolicy);
    expect(queues).toHaveLength(deadLetters.length);
  });

  it('watches steps of every size, with fifteen metrics more than the ten that are free', () => {
    const alarms = ofType(stacks.observability, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const counts = alarms.map(
      ({ Metrics = [{ MetricStat: {} }] }) => Metrics.filter((each: object) => 'MetricStat' in each).length,
    );
    expect(Math.max(...counts)).toBe(4);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
  });
});

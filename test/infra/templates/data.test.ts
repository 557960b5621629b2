import { beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, type Stacks } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('stateful resources', () => {
  it('include the table, retained, with point-in-time recovery and deletion protection', () => {
    const [[, table] = []] = ofType(stacks.data, 'AWS::DynamoDB::GlobalTable');
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table!.Properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it('include the bucket, retained, versioned and closed to the public', () => {
    const [[, bucket] = []] = ofType(stacks.data, 'AWS::S3::Bucket');
    expect(bucket).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      },
    });
  });

  it('keep nothing of expired answers and step outputs for longer than a day', () => {
    const [[, bucket] = []] = ofType(stacks.data, 'AWS::S3::Bucket');
    const rules = bucket!.Properties.LifecycleConfiguration.Rules as Record<string, unknown>[];
    for (const Prefix of ['results/', 'staging/']) {
      const rule = rules.find((each) => each.Prefix === Prefix);
      expect(rule, Prefix).toMatchObject({ NoncurrentVersionExpiration: { NoncurrentDays: 1 } });
    }
    const whole = rules.filter((each) => each.Prefix === undefined);
    expect(whole).toContainEqual(expect.objectContaining({ ExpiredObjectDeleteMarker: true }));
    // S3 rejects a rule with both.
    for (const rule of rules)
      expect(Object.keys(rule)).not.toEqual(expect.arrayContaining(['ExpirationInDays', 'ExpiredObjectDeleteMarker']));
  });

  it('are absent from the stacks that are replaced freely', () => {
    const stateful = /^AWS::(DynamoDB|S3|RDS|EFS)/;
    for (const resources of [stacks.runtime, stacks.observability]) {
      expect(Object.values(resources).filter(({ Type }) => stateful.test(Type))).toEqual([]);
    }
  });
});

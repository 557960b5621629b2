import { expect, it } from 'vitest';
import { unsubscribeTokens } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { MasterSecret, UnknownSecretVersion } from '../../../../shared/platform/crypto/master-secret.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';

const KIND = {
  name: 'test',
  area: 'TEST',
  title: 'digest',
  unsubscribe: { path: 'unsubscribe', prefix: 'tu', purpose: 'unsubscribe-test' },
};

/** Secrets by version; the last one is the newest. */
const tokensFor = (kind: typeof KIND, ...secrets: number[]) =>
  unsubscribeTokens(
    new MasterSecret(async (version = secrets.length) => {
      if (version < 1 || version > secrets.length) throw new UnknownSecretVersion('unknown');
      return { version, secret: Buffer.alloc(32, secrets[version - 1]!) };
    }),
    kind,
  );
const tokensOf = (...secrets: number[]) => tokensFor(KIND, ...secrets);
const subscription = { workspaceId: newId(), deliveryId: newId(), userId: newId() };

it('leads to the recipient whom it was made for, also after the secret was rotated', async () => {
  const token = await tokensOf(1).of(subscription);
  expect(await tokensOf(1).of(subscription)).toBe(token);
  expect(await tokensOf(1, 2).read(token)).toEqual(subscription);
});

it('is rejected when any part of it is changed', async () => {
  const token = await tokensOf(1).of(subscription);
  const changed = [
    ...Object.values(subscription).map((id) => token.replace(id, newId())),
    token.replace('tu_1', 'tu_2'),
    token.slice(0, -1),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    '',
  ];
  for (const each of changed) expect(await tokensOf(1).read(each), each).toBeUndefined();
  expect(await tokensOf(9).read(token)).toBeUndefined();
});

it('is rejected by another kind of deliveries, also with the beginning of its tokens', async () => {
  const other = tokensFor(
    { ...KIND, title: 'digest', unsubscribe: { path: 'unsubscribe', prefix: 'ou', purpose: 'unsubscribe-other' } },
    1,
  );
  const token = await tokensOf(1).of(subscription);
  expect(await other.read(token)).toBeUndefined();
  expect(await other.read(token.replace('tu_', 'ou_'))).toBeUndefined();
});

import { expect, it } from 'vitest';
import { runStateOf } from '../../../../shared/domains/delivery/deliveries/index.ts';

const AT = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-01T10:05:00.000Z';
const mail = (status: 'queued' | 'sent' | 'skipped' | 'failed', sentAt: string | null = null) => ({ status, sentAt });

it.each([
  ['nothing is written yet', 'queued', [], { status: 'queued', finishedAt: null }],
  ['a recipient is queued', 'sent', [mail('sent', AT), mail('queued')], { status: 'queued', finishedAt: null }],
  ['all have a result', 'sent', [mail('sent', LATER), mail('failed')], { status: 'sent', finishedAt: LATER }],
  ['none has rows', 'sent', [mail('skipped')], { status: 'sent', finishedAt: AT }],
  ['all refused it', 'sent', [mail('failed'), mail('skipped')], { status: 'failed', finishedAt: AT }],
  ['it was skipped', 'skipped', [], { status: 'skipped', finishedAt: AT }],
  ['it was given up', 'failed', [mail('queued')], { status: 'failed', finishedAt: AT }],
] as const)('a run where %s', (_, status, mails, state) => {
  expect(runStateOf({ status, finishedAt: status === 'queued' ? null : AT }, mails)).toEqual(state);
});

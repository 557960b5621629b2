import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { FieldCondition, MetricCondition } from '../../../../shared/domains/alerts/conditions/index.ts';
import { alertChannels, alertProperties } from '../../../../shared/domains/alerts/rules/index.ts';
import { canonical } from '../../../../shared/domains/catalog/definitions/index.ts';
import { Nullable, StrictObject, TaggedUnion } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind, Members } from './kind.ts';

const { name, description, isActive, scheduleCron, timezone, onRefresh, repeat } = alertProperties;
const { runAs, shareRows, holdOnQuality, notifyOnRecover, severity } = alertProperties;

const { source } = FieldCondition.properties;
/** The id of a card is its own in every workspace; other ids are symbols. */
const SourceId = Type.String({ minLength: 1, maxLength: 1000 });

const condition = TaggedUnion('kind', [
  StrictObject({
    ...FieldCondition.properties,
    source: { ...source, properties: { ...source.properties, id: SourceId } },
  }),
  MetricCondition,
]);

const { groupIds, followers } = alertChannels.inApp.properties;
const channels = StrictObject(
  {
    inApp: Type.Optional(StrictObject({ groupIds, followers })),
    email: Type.Optional(StrictObject({ groupIds })),
    event: Type.Boolean({ ...alertChannels.event, default: true }),
  },
  { default: {} },
);

const members = {
  name,
  description: { ...description, default: '' },
  condition,
  isActive: { ...isActive, default: true },
  scheduleCron: { ...Nullable(scheduleCron), default: null },
  timezone: { ...timezone, default: 'UTC' },
  onRefresh: Type.Optional(onRefresh),
  repeat: { ...repeat, default: 'never' },
  runAs: { ...runAs, default: 'recipients' },
  shareRows: { ...shareRows, default: false },
  holdOnQuality: { ...holdOnQuality, default: false },
  notifyOnRecover: { ...notifyOnRecover, default: true },
  severity: { ...severity, default: 'warning' },
  channels,
};

/** The owner, other people, addresses and targets are in no file, and stay. */
export const alert: DefinitionKind = {
  kind: 'alert',
  isWholeInLists: true,
  members: Type.Object(members),
  references: { metricId: 'metric', dashboardId: 'dashboard', groupIds: 'group' },
  symbols: {
    kinds: { savedQuery: 'query', model: 'model', dataset: 'dataset', blend: 'blend' },
    inTexts: [],
    async sources({ condition: given }, models) {
      const { kind, metricId, source: from } = given as { kind: string; metricId?: string; source?: Source };
      if (kind === 'metric') return (await models.modelsBehind('metric', metricId!)).map(modelSource);
      return from!.kind === 'card' ? [] : [from!];
    },
  },

  show({ onRefresh: isOnRefresh, channels: given, ...others }) {
    const isUsual = isOnRefresh === (others.scheduleCron === null);
    return { ...others, ...(!isUsual && { onRefresh: isOnRefresh }), channels: withoutPeople(given as Channels) };
  },

  take({ onRefresh: given, channels: wanted, ...others }, current) {
    const body = {
      ...others,
      onRefresh: given ?? others.scheduleCron === null,
      channels: withPeople(wanted as Channels, (current?.channels ?? {}) as Channels),
    };
    // What is sent again counts as changed: the condition would start anew, and people be checked again.
    return current ? Object.fromEntries(Object.entries(body).filter(isOtherThan(current))) : body;
  },
};

interface Source {
  kind: string;
  id: string;
}

const modelSource = (id: string): Source => ({ kind: 'model', id });

interface Channels {
  inApp?: Members;
  email?: Members;
  event?: boolean;
  targets?: unknown;
}

const isFilled = (channel: Members): boolean => Object.keys(channel).length > 0;

function withoutPeople({ inApp = {}, email = {}, event = true }: Channels): Channels {
  const { userIds: _users, ...feed } = inApp;
  const { userIds: _readers, addresses: _addresses, ...mail } = email;
  return { ...(isFilled(feed) && { inApp: feed }), ...(isFilled(mail) && { email: mail }), event };
}

function withPeople({ inApp = {}, email = {}, event = true }: Channels, current: Channels): Channels {
  const people = ({ userIds, addresses }: Members): Members => ({
    ...(userIds !== undefined && { userIds }),
    ...(addresses !== undefined && { addresses }),
  });
  const feed = { ...people(current.inApp ?? {}), ...inApp };
  const mail = { ...people(current.email ?? {}), ...email };
  return { ...(isFilled(feed) && { inApp: feed }), ...(isFilled(mail) && { email: mail }), event };
}

const isOtherThan =
  (current: Members) =>
  ([member, value]: [string, unknown]): boolean => {
    if (member === 'channels') {
      const { targets: _, ...known } = current.channels as Channels;
      return !isDeepStrictEqual(withPeople(known, known), value);
    }
    const schema = (members as Record<string, TSchema>)[member]!;
    return !isDeepStrictEqual(canonical(schema, value), canonical(schema, current[member]));
  };

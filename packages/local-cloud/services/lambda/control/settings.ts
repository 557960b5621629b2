import { AwsError } from '../../../core/aws-error.ts';
import type { Clock } from '../../../core/clock.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { functionArn, type Place, parseFunctionReference } from '../arns.ts';
import type { EventInvokeConfig, FunctionRecord } from '../model.ts';
import type { FunctionStore } from '../store.ts';
import { checkRange, invalidParameter } from './checks.ts';
import { page } from './page.ts';

/** Concurrent executions of an account, and the part of it that reservations must leave free. */
export const ACCOUNT_CONCURRENCY = 1000;
const MIN_UNRESERVED = 100;

/** Bytes of code that an account may have, in all and per function. */
const ACCOUNT_SIZES = { TotalCodeSize: 80_530_636_800, CodeSizeUnzipped: 262_144_000, CodeSizeZipped: 52_428_800 };

interface Deps {
  place: Place;
  clock: Clock;
  store: FunctionStore;
  /** Rejects an unsupported destination ARN. */
  checkDestination(arn: string): void;
}

interface EventInvokeInput {
  FunctionName: string;
  Qualifier?: string;
  MaximumRetryAttempts?: number;
  MaximumEventAgeInSeconds?: number;
  DestinationConfig?: EventInvokeConfig['DestinationConfig'];
}

/** Operations on reserved concurrency and on retries and destinations of asynchronous events. */
export function settingsRoutes({ place, clock, store, checkDestination }: Deps): RestRoute[] {
  const record = (reference: string) => store.get(parseFunctionReference(reference).name);

  function putConcurrency(input: { FunctionName: string; ReservedConcurrentExecutions: number }) {
    const current = record(input.FunctionName);
    const reserved = input.ReservedConcurrentExecutions;
    checkRange('ReservedConcurrentExecutions', reserved, 0, Number.MAX_SAFE_INTEGER);
    let others = 0;
    for (const [name, count] of store.reservations) if (name !== current.name) others += count;
    if (ACCOUNT_CONCURRENCY - others - reserved < MIN_UNRESERVED) {
      throw invalidParameter(
        `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${MIN_UNRESERVED}].`,
      );
    }
    store.save({ ...current, reservedConcurrency: reserved });
    return { ReservedConcurrentExecutions: reserved };
  }

  function accountSettings() {
    let reserved = 0;
    for (const [, count] of store.reservations) reserved += count;
    const functions = store.all();
    const sizes = functions.flatMap(({ latest, versions }) => [latest, ...versions].map(({ code }) => code.sizeBytes));
    return {
      AccountLimit: {
        ...ACCOUNT_SIZES,
        ConcurrentExecutions: ACCOUNT_CONCURRENCY,
        UnreservedConcurrentExecutions: ACCOUNT_CONCURRENCY - reserved,
      },
      AccountUsage: { FunctionCount: functions.length, TotalCodeSize: sizes.reduce((sum, size) => sum + size, 0) },
    };
  }

  function deleteConcurrency(input: { FunctionName: string }) {
    const { reservedConcurrency: _removed, ...rest } = record(input.FunctionName);
    store.save(rest);
  }

  function saveEventInvoke(input: EventInvokeInput, base: EventInvokeConfig | undefined) {
    checkRange('MaximumRetryAttempts', input.MaximumRetryAttempts, 0, 2);
    checkRange('MaximumEventAgeInSeconds', input.MaximumEventAgeInSeconds, 60, 21_600);
    const destinations = input.DestinationConfig ?? base?.DestinationConfig ?? {};
    for (const each of [destinations.OnSuccess, destinations.OnFailure]) {
      if (each?.Destination) checkDestination(each.Destination);
    }
    const { record: current, qualifier = '$LATEST' } = store.resolve(input.FunctionName, input.Qualifier);
    const retries = input.MaximumRetryAttempts ?? base?.MaximumRetryAttempts;
    const age = input.MaximumEventAgeInSeconds ?? base?.MaximumEventAgeInSeconds;
    const config: EventInvokeConfig = {
      ...(retries !== undefined && { MaximumRetryAttempts: retries }),
      ...(age !== undefined && { MaximumEventAgeInSeconds: age }),
      DestinationConfig: { OnSuccess: destinations.OnSuccess ?? {}, OnFailure: destinations.OnFailure ?? {} },
      lastModified: clock.now(),
    };
    store.save({ ...current, eventInvokeConfigs: { ...current.eventInvokeConfigs, [qualifier]: config } });
    return describeEventInvoke(current, qualifier, config);
  }

  function existing(input: EventInvokeInput) {
    const { record: current, qualifier = '$LATEST' } = store.resolve(input.FunctionName, input.Qualifier);
    const config = current.eventInvokeConfigs[qualifier];
    if (config) return { current, qualifier, config };
    const arn = functionArn(place, current.name, qualifier);
    throw new AwsError('ResourceNotFoundException', `The function ${arn} doesn't have an EventInvokeConfig`, {
      status: 404,
    });
  }

  function describeEventInvoke(current: FunctionRecord, qualifier: string, config: EventInvokeConfig): object {
    const { lastModified, ...rest } = config;
    return { ...rest, FunctionArn: functionArn(place, current.name, qualifier), LastModified: lastModified / 1000 };
  }

  const concurrency = (date: string) => `/${date}/functions/{FunctionName}/concurrency`;
  const eventInvoke = '/2019-09-25/functions/{FunctionName}/event-invoke-config';
  const members = [
    'FunctionName',
    'Qualifier',
    'MaximumRetryAttempts',
    'MaximumEventAgeInSeconds',
    'DestinationConfig',
  ];
  const structures = {
    DestinationConfig: ['OnSuccess', 'OnFailure'],
    'DestinationConfig.OnSuccess': ['Destination'],
    'DestinationConfig.OnFailure': ['Destination'],
  };
  return [
    {
      operation: 'GetAccountSettings',
      method: 'GET',
      path: '/2016-08-19/account-settings',
      status: 200,
      members: [],
      run: accountSettings,
    },
    {
      operation: 'PutFunctionConcurrency',
      method: 'PUT',
      path: concurrency('2017-10-31'),
      status: 200,
      members: ['FunctionName', 'ReservedConcurrentExecutions'],
      run: putConcurrency,
    },
    {
      operation: 'DeleteFunctionConcurrency',
      method: 'DELETE',
      path: concurrency('2017-10-31'),
      status: 204,
      members: ['FunctionName'],
      run: deleteConcurrency,
    },
    {
      operation: 'GetFunctionConcurrency',
      method: 'GET',
      path: concurrency('2019-09-30'),
      status: 200,
      members: ['FunctionName'],
      run: (input: { FunctionName: string }) => ({
        ReservedConcurrentExecutions: record(input.FunctionName).reservedConcurrency,
      }),
    },
    {
      operation: 'PutFunctionEventInvokeConfig',
      method: 'PUT',
      path: eventInvoke,
      status: 200,
      members,
      structures,
      run: (input: EventInvokeInput) => saveEventInvoke(input, undefined),
    },
    {
      operation: 'UpdateFunctionEventInvokeConfig',
      method: 'POST',
      path: eventInvoke,
      status: 200,
      members,
      structures,
      run: (input: EventInvokeInput) => saveEventInvoke(input, existing(input).config),
    },
    {
      operation: 'GetFunctionEventInvokeConfig',
      method: 'GET',
      path: eventInvoke,
      status: 200,
      members: ['FunctionName', 'Qualifier'],
      run: (input: EventInvokeInput) => {
        const { current, qualifier, config } = existing(input);
        return describeEventInvoke(current, qualifier, config);
      },
    },
    {
      operation: 'DeleteFunctionEventInvokeConfig',
      method: 'DELETE',
      path: eventInvoke,
      status: 204,
      members: ['FunctionName', 'Qualifier'],
      run: (input: EventInvokeInput) => {
        const { current, qualifier } = existing(input);
        const { [qualifier]: _removed, ...rest } = current.eventInvokeConfigs;
        store.save({ ...current, eventInvokeConfigs: rest });
      },
    },
    {
      operation: 'ListFunctionEventInvokeConfigs',
      method: 'GET',
      path: `${eventInvoke}/list`,
      status: 200,
      members: ['FunctionName', 'Marker', 'MaxItems'],
      run: (input: { FunctionName: string; Marker?: string; MaxItems?: number }) => {
        const current = record(input.FunctionName);
        const configs = Object.entries(current.eventInvokeConfigs);
        return page(
          'FunctionEventInvokeConfigs',
          configs.map(([qualifier, config]) => describeEventInvoke(current, qualifier, config)),
          input,
        );
      },
    },
  ];
}

import { randomUUID } from 'node:crypto';
import { AwsError, unsupported } from '../../../core/aws-error.ts';
import type { Clock } from '../../../core/clock.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { functionArn, type Place, parseFunctionReference } from '../arns.ts';
import type { FunctionRecord, FunctionVersion } from '../model.ts';
import type { FunctionStore } from '../store.ts';
import { checkEnum, checkRevision, invalidParameter } from './checks.ts';
import type { CodeInput, CodeStore } from './code.ts';
import {
  CONFIGURATION_MEMBERS,
  CONFIGURATION_STRUCTURES,
  type ConfigurationInput,
  checkConfiguration,
  describe,
  loggingConfig,
  withConfiguration,
} from './configuration.ts';
import { page } from './page.ts';
import type { Versions } from './versions.ts';

interface Deps {
  place: Place;
  clock: Clock;
  store: FunctionStore;
  code: CodeStore;
  versions: Versions;
  /** Called when no more calls may start on this revision. */
  retire(revisionId: string): void;
}

interface CreateInput extends ConfigurationInput {
  FunctionName: string;
  Code: CodeInput;
  Publish?: boolean;
  PackageType?: string;
  Architectures?: FunctionVersion['architecture'][];
  Tags?: Record<string, string>;
  VpcConfig?: { SubnetIds?: string[]; SecurityGroupIds?: string[] };
  Layers?: string[];
}

/** CreateFunction, GetFunction, UpdateFunctionCode and related operations. */
export function functionRoutes(deps: Deps): RestRoute[] {
  const { place, store } = deps;

  async function create(input: CreateInput) {
    const { name, qualifier } = parseFunctionReference(input.FunctionName);
    if (qualifier !== undefined || name.length > 64) {
      throw invalidParameter(`The function name ${input.FunctionName} is not valid.`);
    }
    if (!input.Runtime || !input.Handler || !input.Role || !input.Code) {
      throw invalidParameter(
        'Runtime, Handler, Role and Code are mandatory for functions created with deployment packages.',
      );
    }
    checkEnum('PackageType', input.PackageType, ['Zip']);
    checkConfiguration(input);
    rejectNetworkAndLayers(input);
    const architecture = architectureOf(input.Architectures);
    rejectExisting(store, place, name);
    const code = await deps.code.resolve(input.Code);
    rejectExisting(store, place, name);
    const initial: FunctionVersion = {
      version: '$LATEST',
      runtime: input.Runtime,
      role: input.Role,
      handler: input.Handler,
      description: '',
      timeoutSeconds: 3,
      memorySizeMb: 128,
      variables: {},
      architecture,
      tracingMode: 'PassThrough',
      ephemeralStorageMb: 512,
      logging: loggingConfig({}, name),
      code,
      ...change(deps.clock),
    };
    const record: FunctionRecord = {
      name,
      latest: withConfiguration(initial, input, name),
      versions: [],
      lastVersion: 0,
      aliases: {},
      tags: input.Tags ?? {},
      eventInvokeConfigs: {},
      policies: {},
    };
    store.save(record);
    return input.Publish ? deps.versions.publish(record, {}) : describe(place, record, record.latest);
  }

  function get(input: { FunctionName: string; Qualifier?: string }) {
    const { record, version, qualifier } = store.resolve(input.FunctionName, input.Qualifier);
    return {
      Configuration: describe(place, record, version, qualifier),
      Code: { RepositoryType: 'S3', Location: `file://${version.code.folder}` },
      ...(Object.keys(record.tags).length > 0 && { Tags: record.tags }),
      ...(record.reservedConcurrency !== undefined && {
        Concurrency: { ReservedConcurrentExecutions: record.reservedConcurrency },
      }),
    };
  }

  function getConfiguration(input: { FunctionName: string; Qualifier?: string }) {
    const { record, version, qualifier } = store.resolve(input.FunctionName, input.Qualifier);
    return describe(place, record, version, qualifier);
  }

  /** Replaces `$LATEST`; environments of the old one serve no more calls. */
  function replaceLatest(record: FunctionRecord, next: FunctionVersion): FunctionRecord {
    const replaced = { ...record, latest: { ...next, ...change(deps.clock) } };
    store.save(replaced);
    deps.retire(record.latest.revisionId);
    return replaced;
  }

  function updateConfiguration(input: ConfigurationInput & { FunctionName: string; RevisionId?: string }) {
    const record = latestOf(store, input.FunctionName);
    checkRevision(input.RevisionId, record.latest.revisionId);
    checkConfiguration(input);
    const replaced = replaceLatest(record, withConfiguration(record.latest, input, record.name));
    return describe(place, replaced, replaced.latest);
  }

  async function updateCode(
    input: CodeInput & {
      FunctionName: string;
      Architectures?: FunctionVersion['architecture'][];
      Publish?: boolean;
      DryRun?: boolean;
      RevisionId?: string;
    },
  ) {
    const { FunctionName, Architectures, Publish, DryRun, RevisionId, ...source } = input;
    checkRevision(RevisionId, latestOf(store, FunctionName).latest.revisionId);
    const code = await deps.code.resolve(source);
    const record = latestOf(store, FunctionName);
    if (DryRun) return describe(place, record, { ...record.latest, code });
    const architecture = Architectures ? architectureOf(Architectures) : record.latest.architecture;
    const replaced = replaceLatest(record, { ...record.latest, code, architecture });
    pruneCode(deps);
    return Publish ? deps.versions.publish(replaced, {}) : describe(place, replaced, replaced.latest);
  }

  function remove(input: { FunctionName: string; Qualifier?: string }) {
    const { record, version, qualifier } = store.resolve(input.FunctionName, input.Qualifier);
    if (qualifier === '$LATEST')
      throw invalidParameter('$LATEST version cannot be deleted without deleting the function.');
    if (qualifier !== undefined) {
      if (record.aliases[qualifier]) throw invalidParameter('Deletion of aliases is not currently supported.');
      deps.versions.remove(record, version);
    } else {
      store.delete(record.name);
      for (const each of [record.latest, ...record.versions]) deps.retire(each.revisionId);
    }
    pruneCode(deps);
    return { StatusCode: 200 };
  }

  function list(input: { FunctionVersion?: string; Marker?: string; MaxItems?: number }) {
    checkEnum('FunctionVersion', input.FunctionVersion, ['ALL']);
    const all = store.all().flatMap((record) => {
      const latest = describe(place, record, record.latest, input.FunctionVersion && '$LATEST');
      if (input.FunctionVersion === undefined) return [latest];
      return [latest, ...record.versions.map((version) => describe(place, record, version, version.version))];
    });
    return page('Functions', all, input);
  }

  const path = '/2015-03-31/functions';
  const created = [...CONFIGURATION_MEMBERS, 'FunctionName', 'Code', 'Publish', 'PackageType', 'Architectures', 'Tags'];
  return [
    {
      operation: 'CreateFunction',
      method: 'POST',
      path,
      status: 201,
      members: [...created, 'VpcConfig', 'Layers'],
      structures: CONFIGURATION_STRUCTURES,
      run: create,
    },
    {
      operation: 'ListFunctions',
      method: 'GET',
      path,
      status: 200,
      members: ['FunctionVersion', 'Marker', 'MaxItems'],
      run: list,
    },
    {
      operation: 'GetFunction',
      method: 'GET',
      path: `${path}/{FunctionName}`,
      status: 200,
      members: ['FunctionName', 'Qualifier'],
      run: get,
    },
    {
      operation: 'DeleteFunction',
      method: 'DELETE',
      path: `${path}/{FunctionName}`,
      status: 200,
      members: ['FunctionName', 'Qualifier'],
      run: remove,
    },
    {
      operation: 'GetFunctionConfiguration',
      method: 'GET',
      path: `${path}/{FunctionName}/configuration`,
      status: 200,
      members: ['FunctionName', 'Qualifier'],
      run: getConfiguration,
    },
    {
      operation: 'UpdateFunctionConfiguration',
      method: 'PUT',
      path: `${path}/{FunctionName}/configuration`,
      status: 200,
      members: [...CONFIGURATION_MEMBERS, 'FunctionName', 'RevisionId'],
      structures: CONFIGURATION_STRUCTURES,
      run: updateConfiguration,
    },
    {
      operation: 'UpdateFunctionCode',
      method: 'PUT',
      path: `${path}/{FunctionName}/code`,
      status: 200,
      members: ['FunctionName', 'ZipFile', 'S3Bucket', 'S3Key', 'Architectures', 'Publish', 'DryRun', 'RevisionId'],
      run: updateCode,
    },
  ];
}

/** The members that every change renews. */
function change(clock: Clock): Pick<FunctionVersion, 'lastModified' | 'revisionId'> {
  return { lastModified: new Date(clock.now()).toISOString().replace('Z', '+0000'), revisionId: randomUUID() };
}

function latestOf(store: FunctionStore, reference: string): FunctionRecord {
  const { name, qualifier } = parseFunctionReference(reference);
  if (qualifier !== undefined && qualifier !== '$LATEST') {
    throw invalidParameter('Only the $LATEST version of a function can be changed.');
  }
  return store.get(name);
}

function rejectExisting(store: FunctionStore, place: Place, name: string): void {
  if (store.find(name)) {
    throw new AwsError('ResourceConflictException', `Function already exist: ${functionArn(place, name)}`, {
      status: 409,
    });
  }
}

function rejectNetworkAndLayers(input: CreateInput): void {
  if ((input.VpcConfig?.SubnetIds?.length ?? 0) > 0) throw unsupported('lambda', 'functions in a VPC');
  if ((input.Layers?.length ?? 0) > 0) throw unsupported('lambda', 'layers');
}

function architectureOf(
  architectures: FunctionVersion['architecture'][] = ['x86_64'],
): FunctionVersion['architecture'] {
  const [architecture, ...more] = architectures;
  checkEnum('Architectures', architecture, ['arm64', 'x86_64']);
  if (architecture === undefined || more.length > 0) throw invalidParameter('A function has exactly one architecture.');
  return architecture;
}

function pruneCode({ store, code }: Deps): void {
  const versions = store.all().flatMap((record) => [record.latest, ...record.versions]);
  code.prune(new Set(versions.map((version) => version.code.folder)));
}

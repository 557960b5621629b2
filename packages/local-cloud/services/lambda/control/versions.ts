import { randomUUID } from 'node:crypto';
import { AwsError, unsupported } from '../../../core/aws-error.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { functionArn, type Place, parseFunctionReference } from '../arns.ts';
import type { FunctionAlias, FunctionRecord, FunctionVersion } from '../model.ts';
import { type FunctionStore, findVersion, notFound } from '../store.ts';
import { checkRevision, invalidParameter } from './checks.ts';
import { describe } from './configuration.ts';
import { page } from './page.ts';

interface AliasInput {
  FunctionName: string;
  Name: string;
  FunctionVersion?: string;
  Description?: string;
  RevisionId?: string;
  RoutingConfig?: { AdditionalVersionWeights?: Record<string, number> };
}

/** Operations on published versions and aliases. */
export class Versions {
  readonly #place: Place;
  readonly #store: FunctionStore;
  readonly #retire: (revisionId: string) => void;

  constructor(place: Place, store: FunctionStore, retire: (revisionId: string) => void) {
    this.#place = place;
    this.#store = store;
    this.#retire = retire;
  }

  /** Publishes `$LATEST` under the next number; if nothing changed since the last publication, returns that version. */
  publish(record: FunctionRecord, { Description }: { Description?: string }): object {
    const newest = record.versions.at(-1);
    if (newest && sameContent(newest, record.latest)) return describe(this.#place, record, newest, newest.version);
    const number = record.lastVersion + 1;
    const version: FunctionVersion = {
      ...record.latest,
      version: String(number),
      description: Description ?? record.latest.description,
      revisionId: randomUUID(),
    };
    const published = { ...record, lastVersion: number, versions: [...record.versions, version] };
    this.#store.save(published);
    return describe(this.#place, published, version, version.version);
  }

  remove(record: FunctionRecord, version: FunctionVersion): void {
    const users = Object.values(record.aliases).filter((alias) => alias.functionVersion === version.version);
    if (users.length > 0) {
      throw new AwsError(
        'ResourceConflictException',
        `Alias ${users[0]?.name} still points to version ${version.version}.`,
        {
          status: 409,
        },
      );
    }
    this.#store.save({ ...record, versions: record.versions.filter((each) => each !== version) });
    this.#retire(version.revisionId);
  }

  routes(): RestRoute[] {
    const functions = '/2015-03-31/functions/{FunctionName}';
    const paged = ['FunctionName', 'Marker', 'MaxItems'];
    const aliasMembers = ['FunctionName', 'Name', 'FunctionVersion', 'Description', 'RoutingConfig'];
    return [
      {
        operation: 'PublishVersion',
        method: 'POST',
        path: `${functions}/versions`,
        status: 201,
        members: ['FunctionName', 'CodeSha256', 'Description', 'RevisionId'],
        run: (input: { FunctionName: string; CodeSha256?: string; Description?: string; RevisionId?: string }) => {
          const record = this.#record(input.FunctionName);
          checkRevision(input.RevisionId, record.latest.revisionId);
          if (input.CodeSha256 !== undefined && input.CodeSha256 !== record.latest.code.sha256) {
            throw invalidParameter(
              `CodeSHA256 (${input.CodeSha256}) is different from current CodeSHA256 in $LATEST (${record.latest.code.sha256}).`,
            );
          }
          return this.publish(record, input);
        },
      },
      {
        operation: 'ListVersionsByFunction',
        method: 'GET',
        path: `${functions}/versions`,
        status: 200,
        members: paged,
        run: (input: { FunctionName: string; Marker?: string; MaxItems?: number }) => {
          const record = this.#record(input.FunctionName);
          const all = [record.latest, ...record.versions];
          return page(
            'Versions',
            all.map((each) => describe(this.#place, record, each, each.version)),
            input,
          );
        },
      },
      {
        operation: 'CreateAlias',
        method: 'POST',
        path: `${functions}/aliases`,
        status: 201,
        members: aliasMembers,
        run: (input) => this.#createAlias(input),
      },
      {
        operation: 'ListAliases',
        method: 'GET',
        path: `${functions}/aliases`,
        status: 200,
        members: [...paged, 'FunctionVersion'],
        run: (input: { FunctionName: string; FunctionVersion?: string; Marker?: string; MaxItems?: number }) => {
          const record = this.#record(input.FunctionName);
          const aliases = Object.values(record.aliases)
            .filter((alias) => (input.FunctionVersion ?? alias.functionVersion) === alias.functionVersion)
            .map((alias) => this.#describeAlias(record, alias));
          return page('Aliases', aliases, input);
        },
      },
      {
        operation: 'GetAlias',
        method: 'GET',
        path: `${functions}/aliases/{Name}`,
        status: 200,
        members: ['FunctionName', 'Name'],
        run: (input: AliasInput) => {
          const record = this.#record(input.FunctionName);
          return this.#describeAlias(record, this.#alias(record, input.Name));
        },
      },
      {
        operation: 'UpdateAlias',
        method: 'PUT',
        path: `${functions}/aliases/{Name}`,
        status: 200,
        members: [...aliasMembers, 'RevisionId'],
        run: (input: AliasInput) => {
          const record = this.#record(input.FunctionName);
          const current = this.#alias(record, input.Name);
          checkRevision(input.RevisionId, current.revisionId);
          return this.#saveAlias(
            record,
            {
              name: current.name,
              functionVersion: input.FunctionVersion ?? current.functionVersion,
              description: input.Description ?? current.description,
              revisionId: randomUUID(),
            },
            input,
          );
        },
      },
      {
        operation: 'DeleteAlias',
        method: 'DELETE',
        path: `${functions}/aliases/{Name}`,
        status: 204,
        members: ['FunctionName', 'Name'],
        run: (input: AliasInput) => {
          const record = this.#record(input.FunctionName);
          const { [input.Name]: _removed, ...aliases } = record.aliases;
          this.#store.save({ ...record, aliases });
        },
      },
    ];
  }

  #record(reference: string): FunctionRecord {
    return this.#store.get(parseFunctionReference(reference).name);
  }

  #createAlias(input: AliasInput): object {
    const record = this.#record(input.FunctionName);
    if (!/^(?![0-9]+$)[a-zA-Z0-9-_]{1,128}$/.test(input.Name ?? '')) {
      throw invalidParameter(`The alias name ${input.Name} is not valid.`);
    }
    if (record.aliases[input.Name]) {
      const arn = functionArn(this.#place, record.name, input.Name);
      throw new AwsError('ResourceConflictException', `Alias already exists: ${arn}`, { status: 409 });
    }
    return this.#saveAlias(
      record,
      {
        name: input.Name,
        functionVersion: input.FunctionVersion ?? '',
        description: input.Description ?? '',
        revisionId: randomUUID(),
      },
      input,
    );
  }

  #saveAlias(record: FunctionRecord, alias: FunctionAlias, { RoutingConfig }: AliasInput): object {
    if (Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}).length > 0) {
      throw unsupported('lambda', 'aliases that share their calls between versions (RoutingConfig)');
    }
    if (!findVersion(record, alias.functionVersion)) {
      throw notFound(functionArn(this.#place, record.name, alias.functionVersion));
    }
    this.#store.save({ ...record, aliases: { ...record.aliases, [alias.name]: alias } });
    return this.#describeAlias(record, alias);
  }

  #alias(record: FunctionRecord, name: string): FunctionAlias {
    const alias = record.aliases[name];
    if (alias) return alias;
    const arn = functionArn(this.#place, record.name, name);
    throw new AwsError('ResourceNotFoundException', `Cannot find alias arn: ${arn}`, { status: 404 });
  }

  #describeAlias(record: FunctionRecord, alias: FunctionAlias): object {
    return {
      AliasArn: functionArn(this.#place, record.name, alias.name),
      Name: alias.name,
      FunctionVersion: alias.functionVersion,
      Description: alias.description,
      RevisionId: alias.revisionId,
    };
  }
}

/** Whether two versions behave alike: everything except the identity of the version. */
function sameContent(a: FunctionVersion, b: FunctionVersion): boolean {
  const content = ({ version, description, lastModified, revisionId, ...rest }: FunctionVersion) =>
    JSON.stringify(rest);
  return content(a) === content(b);
}

import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { Operation } from '../../core/operations.ts';
import { pageOf } from '../../core/paging.ts';
import type { CloudContext } from '../../core/service.ts';
import { parameterArn, parseReference, validation } from './names.ts';
import type { Parameter, Parameters } from './parameters.ts';
import { nextVersion, type PutInput } from './put-parameter.ts';
import type { Sealing } from './sealing.ts';

const MAX_NAMES = 10;
const MAX_BY_PATH = 10;
const MAX_DESCRIBED = 50;
const TAGS = { 'Tags[]': ['Key', 'Value'] };
const MAX_TAGS = 50;

interface ByPathInput {
  Path: string;
  Recursive?: boolean;
  WithDecryption?: boolean;
  MaxResults?: number;
  NextToken?: string;
}

interface TagInput {
  ResourceType: string;
  ResourceId: string;
}

/** The operations of the Parameter Store. */
export class ParameterStore {
  readonly #context: CloudContext;
  readonly #parameters: Parameters;
  readonly #sealing: Sealing;

  constructor(context: CloudContext, parameters: Parameters, sealing: Sealing) {
    this.#context = context;
    this.#parameters = parameters;
    this.#sealing = sealing;
  }

  operations(): Record<string, Operation> {
    const byName = { resource: ({ Name }: { Name: string }) => Name };
    return {
      PutParameter: {
        members: [
          'Name',
          'Description',
          'Value',
          'Type',
          'KeyId',
          'Overwrite',
          'AllowedPattern',
          'Tags',
          'Tier',
          'DataType',
        ],
        structures: TAGS,
        ...byName,
        run: (input: PutInput) => this.#put(input),
      },
      GetParameter: {
        members: ['Name', 'WithDecryption'],
        ...byName,
        run: ({ Name, WithDecryption }) => {
          if (!Name) throw validation('The parameter name is required.');
          return { Parameter: this.#show(this.#get(Name), Name, WithDecryption) };
        },
      },
      GetParameters: {
        members: ['Names', 'WithDecryption'],
        run: ({ Names, WithDecryption }) => this.#getAll(Names, WithDecryption),
      },
      GetParametersByPath: {
        members: ['Path', 'Recursive', 'WithDecryption', 'MaxResults', 'NextToken'],
        resource: ({ Path }) => Path,
        run: (input: ByPathInput) => this.#byPath(input),
      },
      DeleteParameter: {
        members: ['Name'],
        ...byName,
        run: ({ Name }) => {
          if (!this.#parameters.delete(this.#nameOf(Name))) throw notFound();
        },
      },
      DeleteParameters: {
        members: ['Names'],
        run: ({ Names }) => {
          checkNames(Names);
          const deleted = (Names as string[]).filter((name) => this.#parameters.delete(this.#nameOf(name)));
          return {
            DeletedParameters: deleted,
            InvalidParameters: (Names as string[]).filter((name) => !deleted.includes(name)),
          };
        },
      },
      DescribeParameters: {
        members: ['MaxResults', 'NextToken', 'ParameterFilters'],
        run: (input) => this.#describe(input),
      },
    };
  }

  tagOperations(): Record<string, Operation> {
    return {
      AddTagsToResource: {
        members: ['ResourceType', 'ResourceId', 'Tags'],
        structures: TAGS,
        run: ({ Tags, ...resource }: TagInput & { Tags: { Key: string; Value: string }[] }) =>
          this.#tag(this.#tagged(resource), Tags),
      },
      RemoveTagsFromResource: {
        members: ['ResourceType', 'ResourceId', 'TagKeys'],
        run: ({ TagKeys, ...resource }) => this.#parameters.untag(this.#tagged(resource), TagKeys),
      },
      ListTagsForResource: {
        members: ['ResourceType', 'ResourceId'],
        run: (resource: TagInput) => ({ TagList: this.#parameters.tags(this.#tagged(resource)) }),
      },
    };
  }

  #put(input: PutInput) {
    const current = this.#parameters.find(input.Name ?? '');
    const next = nextVersion(input, current, this.#context.clock.now());
    const sealed = next.type === 'SecureString' ? this.#sealing.seal(next.value, this.#arn(next.name)) : next.value;
    this.#parameters.add({ ...next, value: sealed });
    if (input.Tags) this.#tag(next.name, input.Tags);
    return { Version: next.version, Tier: next.tier };
  }

  #getAll(references: string[], decrypt: boolean) {
    checkNames(references);
    const found = references.map((reference) => ({ reference, parameter: this.#find(reference) }));
    return {
      Parameters: found.flatMap(({ reference, parameter }) =>
        parameter ? [this.#show(parameter, reference, decrypt)] : [],
      ),
      InvalidParameters: found.filter(({ parameter }) => !parameter).map(({ reference }) => reference),
    };
  }

  #byPath({ Path, Recursive, WithDecryption, MaxResults = MAX_BY_PATH, NextToken }: ByPathInput) {
    if (!Path?.startsWith('/')) {
      throw validation(
        'The parameter doesn\'t meet the parameter name requirements. The parameter name must begin with a forward slash "/". It can\'t be prefixed with "aws" or "ssm" (case-insensitive).',
      );
    }
    const prefix = Path.endsWith('/') ? Path : `${Path}/`;
    const under = this.#parameters
      .all()
      .filter(({ name }) => name.startsWith(prefix) && (Recursive || !name.slice(prefix.length).includes('/')));
    const { items, next } = paged(under, MaxResults, MAX_BY_PATH, NextToken);
    return { Parameters: items.map((parameter) => this.#show(parameter, parameter.name, WithDecryption)), ...next };
  }

  #describe(input: { MaxResults?: number; NextToken?: string; ParameterFilters?: object[] }) {
    if (input.ParameterFilters?.length)
      throw unsupported('ssm', 'the parameter ParameterFilters of DescribeParameters');
    const { MaxResults = MAX_DESCRIBED, NextToken } = input;
    const { items, next } = paged(this.#parameters.all(), MaxResults, MAX_DESCRIBED, NextToken);
    const Parameters = items.map((parameter) => ({
      Name: parameter.name,
      ARN: this.#arn(parameter.name),
      Type: parameter.type,
      ...(parameter.type === 'SecureString' && { KeyId: 'alias/aws/ssm' }),
      LastModifiedDate: parameter.modifiedAt / 1000,
      ...(parameter.description !== undefined && { Description: parameter.description }),
      ...(parameter.allowedPattern !== undefined && { AllowedPattern: parameter.allowedPattern }),
      Version: parameter.version,
      Tier: parameter.tier,
      Policies: [],
      DataType: 'text',
    }));
    return { Parameters, ...next };
  }

  #tag(name: string, tags: { Key: string; Value: string }[]): void {
    this.#parameters.tag(name, tags);
    if (this.#parameters.tags(name).length <= MAX_TAGS) return;
    throw new AwsError('TooManyTagsError', `A resource can have at most ${MAX_TAGS} tags.`);
  }

  #tagged({ ResourceType, ResourceId }: TagInput): string {
    if (ResourceType !== 'Parameter') throw unsupported('ssm', `tags on the resource type ${ResourceType}`);
    const name = this.#nameOf(ResourceId);
    if (!this.#parameters.find(name)) {
      throw new AwsError(
        'InvalidResourceId',
        'The resource ID is not valid. Verify that you entered the correct ID and try again.',
      );
    }
    return name;
  }

  #get(reference: string): Parameter {
    const parameter = this.#find(reference);
    if (parameter) return parameter;
    const { name, version } = parseReference(this.#context, reference);
    if (version === undefined || !this.#parameters.find(name)) throw notFound();
    throw new AwsError(
      'ParameterVersionNotFound',
      `Systems Manager could not find version ${version} of ${name}. Verify the version and try again.`,
    );
  }

  #find(reference: string): Parameter | undefined {
    const { name, version } = parseReference(this.#context, reference);
    return this.#parameters.find(name, version);
  }

  #nameOf(reference: string): string {
    return parseReference(this.#context, reference).name;
  }

  #show(parameter: Parameter, reference: string, decrypt: boolean | undefined) {
    const { name, version, type, value, modifiedAt } = parameter;
    const selector = reference.startsWith('arn:') ? undefined : reference.split(':', 2)[1];
    return {
      Name: name,
      Type: type,
      Value: type === 'SecureString' && decrypt ? this.#sealing.open(value, this.#arn(name)) : value,
      Version: version,
      ...(selector !== undefined && { Selector: `:${selector}` }),
      LastModifiedDate: modifiedAt / 1000,
      ARN: this.#arn(name),
      DataType: 'text',
    };
  }

  #arn(name: string): string {
    return parameterArn(this.#context, name);
  }
}

function notFound(): AwsError {
  return new AwsError('ParameterNotFound', 'The parameter could not be found.');
}

function checkNames(names: string[]): void {
  if (names.length >= 1 && names.length <= MAX_NAMES) return;
  throw validation(
    `1 validation error detected: Value at 'names' failed to satisfy constraint: Member must have length between 1 and ${MAX_NAMES}`,
  );
}

function paged(parameters: Parameter[], size: number, max: number, token: string | undefined) {
  if (!Number.isInteger(size) || size < 1 || size > max) {
    throw validation(
      `1 validation error detected: Value '${size}' at 'maxResults' failed to satisfy constraint: Member must have value between 1 and ${max}`,
    );
  }
  return pageOf(parameters, ({ name }) => name, { size, token });
}

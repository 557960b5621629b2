import { AwsError, unsupported } from '../../core/aws-error.ts';
import { checkName, validation } from './names.ts';
import { PARAMETER_TYPES, type Parameter, type ParameterType } from './parameters.ts';

export interface PutInput {
  Name: string;
  Value: string;
  Type?: ParameterType;
  Description?: string;
  Overwrite?: boolean;
  AllowedPattern?: string;
  Tags?: { Key: string; Value: string }[];
  Tier?: string;
  KeyId?: string;
  DataType?: string;
}

const LIMIT_BYTES: Record<string, number> = { Standard: 4096, Advanced: 8192 };
const DEFAULT_KEY = 'alias/aws/ssm';

/** The next version of a parameter, with its value not yet sealed. Throws AWS's errors. */
export function nextVersion(input: PutInput, current: Parameter | undefined, now: number): Parameter {
  if (!input.Name || !input.Value) throw validation(`The parameter ${input.Name ? 'value' : 'name'} is required.`);
  checkName(input.Name);
  rejectUnmodelled(input);
  if (current && !input.Overwrite) {
    throw new AwsError(
      'ParameterAlreadyExists',
      'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
    );
  }
  if (input.Tags && input.Overwrite) {
    throw validation(
      "Invalid request: tags and overwrite can't be used together. To create a parameter with tags, please remove overwrite flag. To update tags for an existing parameter, please use AddTagsToResource or RemoveTagsFromResource.",
    );
  }
  const type = input.Type ?? current?.type;
  if (!type) throw validation('A parameter type is required when you create a parameter.');
  if (!PARAMETER_TYPES.includes(type)) {
    throw new AwsError('UnsupportedParameterType', `The parameter type ${type} is not supported.`);
  }
  const tier = input.Tier ?? current?.tier ?? 'Standard';
  checkValue(input.Value, tier, input.AllowedPattern);
  const description = input.Description ?? current?.description;
  return {
    name: input.Name,
    version: (current?.version ?? 0) + 1,
    type,
    value: input.Value,
    ...(description !== undefined && { description }),
    ...(input.AllowedPattern !== undefined && { allowedPattern: input.AllowedPattern }),
    tier,
    modifiedAt: now,
  };
}

function rejectUnmodelled({ Tier, KeyId, DataType }: PutInput): void {
  if (Tier !== undefined && LIMIT_BYTES[Tier] === undefined) throw unsupported('ssm', `the parameter tier ${Tier}`);
  if (KeyId !== undefined && KeyId !== DEFAULT_KEY) throw unsupported('ssm', `the key ${KeyId} (only ${DEFAULT_KEY})`);
  if (DataType !== undefined && DataType !== 'text') throw unsupported('ssm', `the data type ${DataType}`);
}

function checkValue(value: string, tier: string, allowedPattern: string | undefined): void {
  const limit = LIMIT_BYTES[tier] as number;
  if (Buffer.byteLength(value) > limit) {
    throw validation(
      `${tier} tier parameters support a maximum parameter value of ${limit} characters.${
        tier === 'Standard'
          ? ' To create a larger parameter value, upgrade the parameter to use the advanced-parameter tier.'
          : ''
      }`,
    );
  }
  if (allowedPattern === undefined) return;
  let pattern: RegExp;
  try {
    pattern = new RegExp(allowedPattern);
  } catch {
    throw new AwsError(
      'InvalidAllowedPatternException',
      'The request does not meet the regular expression requirement.',
    );
  }
  if (!pattern.test(value)) {
    throw new AwsError(
      'ParameterPatternMismatchException',
      `Parameter value, cannot be validated against allowedPattern: ${allowedPattern}`,
    );
  }
}

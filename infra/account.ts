/** The account and region that the operator chose. The clients of the SDK and the CDK both get it from here. */
export interface Account {
  /** Undefined where the environment has the credentials. */
  profile: string | undefined;
  /** Undefined where the profile's settings name the region. */
  region: string | undefined;
}

/**
 * Takes `--profile` and `--region` out of a command's arguments. Without them the environment decides, with the
 * variables and in the order of the CDK; the SDK alone would ignore some of them.
 */
export function accountOf(
  given: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): { account: Account; rest: string[] } {
  const options: Record<string, string> = {};
  const rest: string[] = [];
  for (let at = 0; at < given.length; at++) {
    const [, name, value] = /^--(profile|region)(?:=(.*))?$/s.exec(given[at]!) ?? [];
    if (!name) {
      rest.push(given[at]!);
      continue;
    }
    const chosen = value ?? given[++at];
    if (!chosen || chosen.startsWith('--'))
      throw new Error(`--${name} needs a value, such as --${name} ${EXAMPLES[name]}`);
    options[name] = chosen;
  }
  const first = (...names: string[]) => names.map((name) => environment[name]).find(Boolean);
  return {
    account: {
      profile: options.profile ?? first('AWS_PROFILE', 'AWS_DEFAULT_PROFILE'),
      region: options.region ?? first('AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'),
    },
    rest,
  };
}

const EXAMPLES: Record<string, string> = { profile: 'work', region: 'eu-west-1' };

/** Configuration of an SDK client. */
export function clientConfig({ profile, region }: Account): { profile?: string; region?: string } {
  return { ...(profile && { profile }), ...(region && { region }) };
}

/** The region of a client. Throws what to do if neither the operator nor the profile names one. */
export async function regionOf(client: { config: { region: () => Promise<string> } }): Promise<string> {
  try {
    return await client.config.region();
  } catch (cause) {
    throw new Error('No region is set. Add --region eu-west-1, set AWS_REGION, or set the region of the profile.', {
      cause,
    });
  }
}

/** Arguments and variables with which the CDK works on the same account and region; it has no option for the region. */
export function cdkCommand(
  { profile, region }: Account,
  given: readonly string[],
): { arguments: string[]; variables: Record<string, string> } {
  return {
    arguments: ['cdk', ...given, ...(profile ? ['--profile', profile] : [])],
    variables: region ? { AWS_REGION: region } : {},
  };
}

/** The options that choose this account again, for commands in messages. */
export function accountOptions({ profile, region }: Account): string {
  return [profile && `--profile ${profile}`, region && `--region ${region}`].filter(Boolean).join(' ');
}

/** What `GET /_local/access` of a local cloud answers. */
export interface AccessReport {
  grants: Grant[];
  denials: { principal: string; action: string; resource: string; reason: string }[];
}

interface Grant {
  policy: string;
  statement: number;
  action: string;
  resource: string;
  neededBy?: { principal: string; action: string; resource: string };
}

interface Explanation {
  policy?: RegExp;
  action: RegExp;
  resource?: RegExp;
  because: string;
}

/** The sizes of one program, and its container, have the same rights from one declaration. */
const SIZES = /(RunStep(Small|Large|Xlarge)?|PipelineRunsStepContainersTaskTask)Role\w+(\/Access)?/;

/** Grants that only AWS needs, or that AWS demands without a call that the local cloud could see. */
const EXPLANATIONS: readonly Explanation[] = [
  { action: /^xray:/, because: 'Lambda sends traces to X-Ray, which exists on AWS alone' },
  { action: /^ecr:/, because: 'ECS pulls images from a registry; the local cloud runs their build folder' },
  {
    policy: /Machine/,
    action: /^logs:/,
    because: 'Step Functions delivers the log of a machine, which the local cloud does not write',
  },
  { policy: /NetworkRejected/, action: /^logs:/, because: 'networks and their flow logs exist on AWS alone' },
  {
    policy: /AmazonAPIGatewayPushToCloudWatchLogs/,
    action: /^logs:/,
    because: 'a policy of AWS, with which API Gateway writes access logs of any name',
  },
  {
    policy: /StepMachine/,
    action: /^ecs:RunTask$/,
    because: 'AWS compares the task definition with and without its revision, depending on how it is named',
  },
];

/** Grants that a deployment needs. The tests' platforms are copies of one, whose calls are not in their reports. */
const OF_DEPLOYMENTS: readonly Explanation[] = [
  {
    policy: /StepMachine/,
    action: /^events:/,
    resource: /StepFunctionsGetEventsForECSTaskRule/,
    because: 'Step Functions makes a rule for tasks of ECS when the machine is created',
  },
  {
    policy: /QueuesWorkDeadLetters/,
    action: /^sqs:SendMessage$/,
    because: 'EventBridge checks the queue for events that it cannot deliver when the rule is created',
  },
];

/** Grants for what happens after days, losses or large data, which the API tests meet by chance or on other clouds. */
const RARE: readonly Explanation[] = [
  {
    policy:
      /Alerts|Blends|CaptureChanges|Dashboards|Cards|CardStream|Datasets|Comments|Exports|LiveBlocks|Pages|Reports|RunJob|RunStep|Shares|Stories|StoryDeliveries/,
    action: /^s3:GetObject$/,
    resource: /\/catalogues\/\*$/,
    because:
      'publishing, reading, sharing, commenting, exporting and copying look at the tables of a Postgres database only where row-level security restricts some of them',
  },
  {
    action: /^s3:ListBucket$/,
    because: 'without it a missing object is a 403, which would hide that it has expired or was cleaned up',
  },
  {
    action: /^s3:GetObject$/,
    resource: /\/(dags|datasets)\/\*$/,
    because: 'definitions and lists of files are objects only above 64 KB',
  },
  {
    policy: /CaptureChanges|RunJob/,
    action: /^s3:/,
    resource: /\/cdc\/\*$/,
    because: 'a log of changes is compacted only once it has many batches',
  },
  {
    policy: /PipelinesFunction|RunLifecycle|MinuteTick/,
    action: /^states:|^sqs:SendMessage$/,
    because: 'repairs runs whose worker or message was lost; the tests that kill them have clouds of their own',
  },
  {
    policy: SIZES,
    action: /^s3:/,
    resource: /\/watermarks\/\*$/,
    because: 'the rows at a watermark are an object only when many rows share its value',
  },
  {
    policy: SIZES,
    action: /^s3:GetObjectVersion$/,
    resource: /\/uploads\/\*$/,
    because: 'a retry reads the version of its first attempt after the file was replaced',
  },
  {
    policy: /StoriesFunction|StoryDeliveriesFunction/,
    action: /^lambda:InvokeFunction$|^s3:(Get|Put)Object$/,
    resource: /AnalyticsRuntime-(engine|join-sides)$|\/results\/\*$/,
    because:
      'publishing and sending a story look at the sources of live blocks as cards do, which needs the engine only for SQL',
  },
  {
    policy: /CardStreamFunction|LiveBlocksFunction|SendReports|EvaluateAlerts/,
    action: /^lambda:InvokeFunction$/,
    resource: /AnalyticsRuntime-join-sides$/,
    because: 'they read charts as the cards of dashboards do, and those of blends alone join sides',
  },
  {
    policy:
      /Query|Questions|SavedQueries|Metrics|Blends|Cards|CardStream|Exports|LiveBlocks|Reports|Alerts|Shares|Catalog|RunJob/,
    action: /^s3:(Get|Put)Object$/,
    resource: /\/results\/\*$/,
    because: 'answers are objects only above 8 KB, compressed',
  },
  {
    policy: /BlendsFunction/,
    action: /^lambda:InvokeFunction$/,
    resource: /AnalyticsRuntime-engine$/,
    because: 'comes with what questions and blends share; the sides of a blend are read by a function of its own',
  },
  {
    policy: /RunJob/,
    action: /^lambda:InvokeFunction$/,
    resource: /AnalyticsRuntime-engine$/,
    because: 'exports run statements themselves; only those over databases are checked by the engine',
  },
  {
    policy: /LineageFunction/,
    action: /^s3:GetObject$/,
    because: 'large definitions of pipelines are objects',
  },
  { action: /^s3:AbortMultipartUpload$/, because: 'follows a failed upload of a file above 1 GiB' },
  {
    policy: /RunStep(Large|Xlarge)Role/,
    action: /^logs:/,
    because: 'steps that outgrow the smaller sizes run on clouds of their own tests',
  },
  {
    policy: /StepMachine/,
    action: /^ecs:StopTask$/,
    because: 'Step Functions stops the task of an execution that an operator stops',
  },
  { policy: /MinuteTick/, action: /^s3:/, because: 'removes files of datasets a day after they were replaced' },
  { policy: /RunLifecycle/, action: /^s3:DeleteObject$/, because: 'removes an upload whose source is gone' },
  {
    policy: /RunJob|CaptureChanges|DeliverWebhook|EvaluateAlerts|FanOutEvents|RunStep|SendReports/,
    action: /^sqs:SendMessage$/,
    because: 'a worker continues by message what it could not end in its time, which tests meet by chance',
  },
  {
    policy: /RunJob|CaptureChanges|RunStep/,
    action: /^s3:DeleteObject$/,
    because: 'a worker removes what it or its twin has replaced, which tests meet by chance',
  },
  {
    policy: /EvaluateAlerts|SendReports/,
    action: /^ssm:GetParameter$|^dynamodb:Query$|^s3:(Get|Put)Object$/,
    because:
      'asks metrics as the API does, whose tests meet databases with passwords, unknown protections and large results',
  },
  { policy: /FanOut/, action: /^sqs:SendMessage$/, resource: /OutboxDeadLetters/, because: 'follows ten failures' },
  {
    policy: /DeliverWebhook/,
    action: /^sqs:ChangeMessageVisibility$/,
    because: 'gives back messages while too many deliveries to one receiver are open',
  },
];

/** Rights that are declared and granted together: a function that writes items has all four rights to write. */
const CLASSES: readonly RegExp[] = [
  /^dynamodb:(GetItem|BatchGetItem|Query)$/,
  /^dynamodb:(PutItem|UpdateItem|DeleteItem|ConditionCheckItem)$/,
];

/** One machine calls each size. */
const SIZE_NAMES = /-(small|large|xlarge)$/;

interface Coverage {
  figures: string;
  /** Grants that no call needed, without an explanation. */
  unexplained: string[];
  /** Explanations that no grant without a call needs any more. */
  stale: string[];
}

/** Compares the grants of all deployments with the calls that needed them. */
export function coverageOf(reports: readonly AccessReport[]): Coverage {
  const grants = new Map<string, Grant>();
  for (const grant of reports.flatMap((report) => report.grants)) {
    const known = grants.get(textOf(grant));
    if (!known?.neededBy) grants.set(textOf(grant), grant);
  }
  const all = [...grants.values()];
  const needed = all.filter(({ neededBy }) => neededBy);
  const units = new Set(needed.map(unitOf));
  const rest = all.filter(({ neededBy }) => !neededBy);
  const together = rest.filter((grant) => units.has(unitOf(grant)));
  const alone = rest.filter((grant) => !units.has(unitOf(grant)));
  const explanations = [...EXPLANATIONS, ...OF_DEPLOYMENTS, ...RARE];
  const unexplained = alone.filter((grant) => !explanations.some((each) => explains(each, grant)));
  const statements = new Set(all.map(({ policy, statement }) => `${policy} ${statement}`));
  return {
    figures:
      `${statements.size} statements with ${all.length} grants: ${needed.length} needed by a call, ` +
      `${together.length} granted together with these, ${alone.length - unexplained.length} explained, ` +
      `${unexplained.length} unexplained`,
    unexplained: unexplained.map(textOf),
    stale: EXPLANATIONS.filter((each) => !rest.some((grant) => explains(each, grant))).map(({ because }) => because),
  };
}

/** Grants of one unit are granted together by one declaration. */
function unitOf({ policy, action, resource }: Grant): string {
  const right = CLASSES.find((each) => each.test(action))?.source ?? action;
  return [policy.replace(SIZES, 'run-step'), right, resource.replace(SIZE_NAMES, '').replace(SIZES, 'run-step')].join(
    ' ',
  );
}

function explains({ policy, action, resource }: Explanation, grant: Grant): boolean {
  return action.test(grant.action) && (policy?.test(grant.policy) ?? true) && (resource?.test(grant.resource) ?? true);
}

function textOf({ policy, statement, action, resource }: Grant): string {
  return `${policy} #${statement}: ${action} on ${resource}`;
}

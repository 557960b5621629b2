/**
 * List prices of AWS in us-east-1 in US dollars, without free tiers and volume discounts, as of November 2026. The
 * tables of `docs/benchmarks.md` follow from these and from the measured quantities; a test recomputes them.
 */
export const PRICES = {
  /** REST API, first 333 million calls a month. */
  apiGatewayPerMillion: 3.5,
  lambdaRequestsPerMillion: 0.2,
  /** arm64, first 7.5 billion GB-seconds a month. */
  lambdaPerGbSecond: 0.0000133334,
  /** On demand; a read unit is one strongly consistent read of 4 KB, or two of the other kind. */
  dynamodbReadUnitsPerMillion: 0.125,
  /** On demand; a unit is 1 KB, and a transaction takes two. */
  dynamodbWriteUnitsPerMillion: 0.625,
  /** Standard workflows. */
  stateTransitionsPerMillion: 25,
  sqsRequestsPerMillion: 0.4,
  /** On top, for messages that name a group (fair queues). */
  sqsFairRequestsPerMillion: 0.1,
  s3PutsPerMillion: 5,
  s3GetsPerMillion: 0.4,
  logsPerGb: 0.5,
  tracesPerMillion: 5,
  /** arm64, Linux. */
  fargatePerVcpuHour: 0.03238,
  fargatePerGbHour: 0.00356,
  /** Above the 20 GB that each task has. */
  fargateDiskPerGbHour: 0.000111,
  publicAddressPerHour: 0.005,
} as const;

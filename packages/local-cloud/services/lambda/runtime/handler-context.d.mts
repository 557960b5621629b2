export function contextOf(
  call: { requestId: string; functionArn: string; remainingMs: number; clientContext?: unknown },
  variables: Readonly<Record<string, string>>,
): object;

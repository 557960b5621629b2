const GB = 1024;
const gigabytes = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_each, index) => (from + index * step) * GB);

/** Memory sizes in MB that Fargate supports for each number of CPU units. */
const SIZES: Record<string, readonly number[]> = {
  256: [512, 1 * GB, 2 * GB],
  512: gigabytes(1, 4),
  1024: gigabytes(2, 8),
  2048: gigabytes(4, 16),
  4096: gigabytes(8, 30),
  8192: gigabytes(16, 60, 4),
  16384: gigabytes(32, 120, 8),
};

export function isFargateSize(cpu: string, memory: string): boolean {
  return SIZES[cpu]?.includes(Number(memory)) ?? false;
}

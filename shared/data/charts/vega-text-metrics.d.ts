import 'vega';

declare module 'vega' {
  export const textMetrics: {
    width(
      item: { font?: string; fontSize?: number; fontWeight?: number | string; limit?: number },
      text: unknown,
    ): number;
  };
}

declare module 'vega-format' {
  interface Locale {
    format(specifier: string): (value: number) => string;
    utcFormat(specifier: string): (value: number) => string;
  }

  export function defaultLocale(): Locale;
}

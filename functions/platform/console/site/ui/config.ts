/** What the server tells the page. */
export interface Config {
  /** Admits style elements that a library makes. */
  nonce: string;
  /** The address of the file with all icons. */
  icons: string;
  /** The style sheet of each screen that has one, by the name of its folder. */
  styles: Readonly<Record<string, string>>;
}

export const config = JSON.parse(document.getElementById('config')?.textContent ?? '{}') as Config;

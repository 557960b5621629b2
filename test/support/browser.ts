/**
 * Follows redirects as a browser does, with the cookies of each site, up to the first address that `isThere` accepts.
 */
export async function browse(start: string, isThere: (url: URL) => boolean): Promise<URL> {
  const cookies = new Map<string, Map<string, string>>();
  let url = new URL(start);
  for (let hops = 0; hops < 20; hops += 1) {
    if (isThere(url)) return url;
    const jar = cookies.get(url.host) ?? new Map<string, string>();
    cookies.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
      jar.set(name, value);
    }
    const location = reply.headers.get('location');
    if (!location) throw new Error(`${url} answered ${reply.status}: ${(await reply.text()).slice(0, 500)}`);
    url = new URL(location, url);
  }
  throw new Error(`${start} leads nowhere`);
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** A browser without pages: it keeps cookies by host and path, and follows redirects. */
export function browser() {
  const cookies = new Map<string, Cookie>()

  function keep(header: string, url: URL): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const path = attributes.find((each) => /^path=/i.test(each))?.slice('path='.length) ?? '/'
    const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path }
    const key = JSON.stringify([url.host, path, cookie.name])
    const isExpired = attributes.some((each) => /^max-age=0$/i.test(each) || /^expires=thu, 01 jan 1970/i.test(each))
    if (isExpired) cookies.delete(key)
    else cookies.set(key, cookie)
  }

  const cookiesFor = (url: URL): string =>
    [...cookies]
      .filter(([key, { path }]) => JSON.parse(key)[0] === url.host && url.pathname.startsWith(path))
      .map(([, { name, value }]) => `${name}=${value}`)
      .join('; ')

  /** Requests one address. */
  async function visit(address: string): Promise<Response> {
    const url = new URL(address)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookiesFor(url) } })
    for (const header of response.headers.getSetCookie()) keep(header, url)
    return response
  }

  /** Follows redirects until an address begins with one of these, and returns it. That address is not requested. */
  async function follow(address: string, ...stops: readonly string[]): Promise<string> {
    let at = address
    for (let redirects = 0; redirects < 10; redirects++) {
      const response = await visit(at)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`)
      at = new URL(location, at).href
      if (stops.some((stop) => at.startsWith(stop))) return at
    }
    throw new Error(`too many redirects, the last one to ${at}`)
  }

  /** Sends a JSON body, as a page of that host does. */
  const post = (address: string, body: object): Promise<Response> =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookiesFor(new URL(address)) },
      body: JSON.stringify(body),
    })

  return { visit, follow, post, forget: () => cookies.clear() }
}

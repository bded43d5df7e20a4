/**
 * Returns the path of the service in its clients' addresses, for links: the path of its public address, which may have the
 * path under which the adapter is mounted. Without a slash at the end.
 */
export function createPublicPath(baseUrl: string | undefined): (basePath: string) => string {
  const path = URL.parse(baseUrl ?? '')?.pathname.replace(/\/+$/, '') ?? ''
  return (basePath) => (path.endsWith(basePath) ? path : path + basePath)
}

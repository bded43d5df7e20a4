/** Whether a path of the service is not part of its OpenAPI document. */
export function isUndocumented(pathname: string): boolean {
  return pathname === '/graphql' || ['/graphql/', '/docs/', '/dashboard/'].some((start) => pathname.startsWith(start))
}

/** Whether a path of the service is not part of its OpenAPI document. */
export function isUndocumented(pathname: string): boolean {
  return pathname === '/graphql' || pathname.startsWith('/graphql/') || pathname.startsWith('/docs/')
}

const undocumented = ['/graphql/', '/docs/', '/dashboard/', '/openai/', '/anthropic/']

/** Whether a path of the service is not part of its OpenAPI document. */
export function isUndocumented(pathname: string): boolean {
  return pathname === '/graphql' || undocumented.some((start) => pathname.startsWith(start))
}

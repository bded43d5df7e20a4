const protocols = new Set(['http:', 'https:', 'mailto:'])

/** The address of a link in a text of a model. Undefined for one that is not absolute or could run a script. */
export function safeHref(href: string): string | undefined {
  const url = URL.parse(href)
  return url && protocols.has(url.protocol) ? url.href : undefined
}

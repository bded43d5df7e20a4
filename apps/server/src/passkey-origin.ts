/**
 * The origin of the pages that can use passkeys, by the public URL. Browsers know passkeys by a host name, and only over https
 * or at `localhost`, which stands for the loopback addresses. Undefined if there is none.
 */
export function passkeyOrigin(baseUrl: string): string | undefined {
  const url = new URL(baseUrl)
  if (/^(127\.|\[::1\]$)/.test(url.hostname)) url.hostname = 'localhost'
  const isAddress = /^[\d.]+$|:/.test(url.hostname)
  return !isAddress && (url.protocol === 'https:' || url.hostname === 'localhost') ? url.origin : undefined
}

/** In place of the package on Cloudflare Workers, which have neither threads nor the files of its data. */
export function local(): never {
  throw new Error(
    '@fairlead/provider-local needs worker threads, which Cloudflare Workers do not have: use the provider of a remote API',
  )
}

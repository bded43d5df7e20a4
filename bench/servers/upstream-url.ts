/** The upstream of the compared gateways. */
export const upstreamUrl = process.env['UPSTREAM_URL'] ?? ''

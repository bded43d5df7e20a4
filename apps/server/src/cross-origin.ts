import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'

/** Answers, or has the next one do so. */
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Seconds for which a browser remembers what it may ask. */
const maxAge = 600

/**
 * Lets pages of exactly these origins call the service. No origin is ever reflected, and no credentials of the browser's
 * own are let through: a page sends its key itself.
 */
export function crossOrigin(origins: readonly string[]): Middleware {
  if (origins.length === 0) return (_request, _response, next) => next()
  return cors({
    origin: [...origins],
    credentials: false,
    maxAge,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'Last-Event-ID'],
    exposedHeaders: [
      'RateLimit',
      'RateLimit-Policy',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
      'Idempotent-Replayed',
      'ETag',
      'Location',
      'Deprecation',
      'Sunset',
    ],
  })
}
